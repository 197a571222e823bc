//! `host replay --attest` and `--attestation`: what guards say of a commit by itself, signed for whoever has other tools.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_pipeline::receipt::{LARGEST, ReceiptKey, SealForm, differences, open, seal};
use guardhost_pipeline::replay::{Replaying, statement_of};
use guardhost_report::{AttestationReplay, ReceiptSignature, ReplayReport, Report, SignedReceipt};
use serde_json::Value;

use crate::cli::ReplayArgs;
use crate::context::CommandContext;

/// # Errors
/// [`FaultKind::Usage`]: not one commit is named, nobody is named whose signature counts, or a file cannot be read or written; of the
/// repository and the rules of the commit.
pub fn attest(args: &ReplayArgs, file: &Path, replaying: &Replaying, ctx: &CommandContext) -> Result<Report> {
    let usage = |what: &str, hint: &str| Fault::new(FaultKind::Usage, what).hint(hint.to_owned());
    let [word] = args.what.as_slice() else {
        let hint = "name one commit: host replay HEAD --attestation FILE";
        return Err(usage("an attestation is of one commit", hint).into());
    };
    let commit = replaying.repo.resolve(word)?;
    let (signed, is_written, statement, recorded) = match (&args.attest, &replaying.signers) {
        (Some(key), _) => {
            let key = ReceiptKey::read(&ctx.path(key))?;
            let statement = statement_of(commit, replaying)?;
            let written = fs::write(file, seal(&statement, &key, SealForm::of_file(file))?);
            written.with_context(|| usage(&format!("cannot write {}", file.display()), "name a file to write"))?;
            let signature = ReceiptSignature::UnknownKey { key: key.fingerprint() };
            (SignedReceipt { signature, is_demanded: false }, true, statement.clone(), Some(statement))
        }
        (None, Some(signers)) => {
            let (signature, recorded) = open(&read(file)?, signers);
            (SignedReceipt { signature, is_demanded: true }, false, statement_of(commit, replaying)?, recorded)
        }
        (None, None) => {
            let hint = "add --allowed-signers FILE; to write an attestation, --attest KEY";
            return Err(usage("no allowed signer of attestations is named", hint).into());
        }
    };
    let result = statement.pointer("/predicate/result").and_then(Value::as_str).unwrap_or_default().to_owned();
    let differs = recorded.map_or_else(|| vec!["/".to_owned()], |recorded| differences(&recorded, &statement));
    let attestation =
        AttestationReplay { path: file.to_owned(), commit: commit.to_string(), is_written, result, signed, differs };
    Ok(Report::Replay(Box::new(ReplayReport { attestation: Some(attestation), ..ReplayReport::default() })))
}

fn read(file: &Path) -> Result<String> {
    let fault = |why: &str| {
        Fault::new(FaultKind::Usage, format!("{} {why}", file.display()))
            .hint("host replay COMMIT --attest KEY writes one")
    };
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|opened| opened.take(LARGEST + 1).read_to_end(&mut bytes));
    opened.with_context(|| fault("cannot be read"))?;
    if bytes.len() as u64 > LARGEST {
        return Err(fault(&format!("has more than {LARGEST} bytes")).into());
    }
    // What is no text is no attestation either, and is told as such.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
