//! Statements of in-toto about commits, verified by the host, by the libraries of in-toto and securesystemslib for Python, and as bundles by
//! Sigstore's for npm.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

use super::signed::Keys;

const GOOD: &str = "def x():\n    return 1\n";

/// Says what the libraries read: the type of the statement, of its predicate, its result and its first subject. Ends with an error for what is
/// signed by no key of the file.
const READER: &str = r#"
import json, sys
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1 import statement_pb2
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

with open(sys.argv[1], "rb") as file:
    envelope = Envelope.from_dict(json.load(file))
with open(sys.argv[2], "rb") as file:
    public = load_ssh_public_key(file.read())
keyid = next(iter(envelope.signatures))
key = SSlibKey.from_crypto(public, keyid=keyid)
assert list(envelope.verify([key], 1)) == [keyid]
message = json_format.Parse(envelope.payload, statement_pb2.Statement())
statement = Statement.copy_from_pb(message)
statement.validate()
predicate = json_format.ParseDict(
    json_format.MessageToDict(statement.pb.predicate), test_result_pb2.TestResult(), ignore_unknown_fields=True
)
subject = {entry.name: dict(entry.digest) for entry in statement.pb.subject}
print(json.dumps([statement.pb.predicate_type, predicate.result, subject, list(predicate.passed_tests)]))
"#;

fn read_by_others(python: &Path, folder: &Path, file: &Path, public: &Path) -> Result<Value, String> {
    let script = folder.join("reader.py");
    fs::write(&script, READER).unwrap();
    let output = Command::new(python.join("bin/python")).arg(script).arg(file).arg(public).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(serde_json::from_str(&said(&output.stdout)).unwrap()),
        false => Err(said(&output.stderr)),
    }
}

fn replay(repo: &TestRepo, args: &[&str]) -> Ran {
    host_with(repo.path(), &[&["replay", "--format", "json"], args].concat(), b"", &[])
}

#[test]
fn a_statement_is_verified_by_the_host_and_by_in_toto() {
    let (Some(_), Some(python)) = (needs(Tool::SshKeygen), needs(Tool::InToto)) else { return };
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write("x.py", GOOD.replace('1', "2"));
    let good = repo.commit("good").to_string();
    repo.write("x.py", "def x(:\n");
    let bad = repo.commit("bad").to_string();
    let (keys, folder) = (Keys::make(), tempfile::tempdir().unwrap());
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (ada, eve, allowed) = (keys.text("ada"), keys.text("eve"), keys.text("allowed"));
    let attest = |commit: &str, key: &str, name: &str| {
        let report = replay(&repo, &[commit, "--attest", key, "--attestation", &file(name)]).expect(0).json();
        assert_eq!(report["attestation"]["written"], true, "{report}");
        fs::read_to_string(file(name)).unwrap()
    };
    let verify = |commit: &str, name: &str, code: u8| {
        let ran = replay(&repo, &[commit, "--attestation", &file(name), "--allowed-signers", &allowed]);
        ran.expect(code.into()).json()["attestation"].clone()
    };

    // The same commit has the same statement, and so the same bytes.
    let text = attest(&good, &ada, "good.json");
    assert_eq!(attest(&good, &ada, "again.json"), text);
    let verified = verify(&good, "good.json", 0);
    assert_eq!(verified["signature"]["signer"], "ada@example.org", "{verified}");
    assert_eq!((&verified["same"], &verified["differs"]), (&true.into(), &serde_json::json!([])), "{verified}");
    let public = keys.path("ada.pub");
    let others = read_by_others(&python, folder.path(), Path::new(&file("good.json")), &public).unwrap();
    let tree = repo.git(&["rev-parse", &format!("{good}^{{tree}}")]);
    let subject = serde_json::json!({ "commit": { "gitCommit": good }, "tree": { "gitTree": tree } });
    assert_eq!(others[0], "https://in-toto.io/attestation/test-result/v0.1");
    assert!(others[1] != "FAILED" && others[2] == subject, "{others}");
    assert!(others[3].as_array().unwrap().contains(&"syntax-holds".into()), "{others}");

    // What guards reject is said as it is.
    attest(&bad, &ada, "bad.json");
    let others = read_by_others(&python, folder.path(), Path::new(&file("bad.json")), &public).unwrap();
    assert_eq!(others[1], "FAILED", "{others}");

    // Of another commit, of a stranger, of another verdict, and with one letter changed.
    let differs = verify(&bad, "good.json", 1)["differs"].to_string();
    assert!(differs.contains("/subject") && differs.contains("/predicate/result"), "{differs}");
    attest(&good, &eve, "eve.json");
    assert_eq!(verify(&good, "eve.json", 1)["signature"]["outcome"], "unknown-key");
    let at = text.find("\"sig\":\"").unwrap() + "\"sig\":\"".len();
    let mut forged = text.clone().into_bytes();
    forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
    fs::write(file("forged.json"), forged).unwrap();
    assert_eq!(verify(&good, "forged.json", 1)["signature"]["outcome"], "wrong");
    assert!(read_by_others(&python, folder.path(), Path::new(&file("forged.json")), &public).is_err());
    fs::write(file("blanks.json"), text.replace(',', ", ")).unwrap();
    assert_eq!(verify(&good, "blanks.json", 1)["signature"]["outcome"], "unreadable");

    // Nobody's word counts where nobody is named.
    let ran = replay(&repo, &[&good, "--attestation", &file("good.json")]).expect(2);
    assert!(format!("{ran:?}").contains("--allowed-signers"), "{ran:?}");
}

/// Verifies a bundle with a public key of ssh. Says the statement's type and first subject, or the code of what is wrong with the bundle.
const BUNDLE_READER: &str = r#"
import fs from "node:fs";
import { bundleFromJSON } from "@sigstore/bundle";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";

const [file, publicKey] = process.argv.slice(2);
const blob = Buffer.from(fs.readFileSync(publicKey, "utf8").split(" ")[1], "base64");
// The name of Ed25519 in front of the key's 32 bytes, which are the last of those that ssh writes.
const key = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), blob.subarray(-32)]);
const nobody = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
try {
    const bundle = bundleFromJSON(JSON.parse(fs.readFileSync(file, "utf8")));
    const { hint } = bundle.verificationMaterial.content.publicKey;
    const verifier = new Verifier(toTrustMaterial(nobody, { [hint]: { rawBytes: key } }), {
        tlogThreshold: 0,
        timestampThreshold: 0,
    });
    verifier.verify(toSignedEntity(bundle));
    const statement = JSON.parse(bundle.content.dsseEnvelope.payload.toString());
    console.log(JSON.stringify([statement._type, statement.subject[0].digest.gitCommit]));
} catch (error) {
    console.log(JSON.stringify(error.code ?? error.message));
}
"#;

#[test]
fn a_bundle_is_verified_by_the_host_and_by_sigstore() {
    let (Some(_), Some(packages)) = (needs(Tool::SshKeygen), needs(Tool::Sigstore)) else { return };
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write("x.py", GOOD.replace('1', "2"));
    let commit = repo.commit("good").to_string();
    let (keys, folder) = (Keys::make(), tempfile::tempdir().unwrap());
    let file = folder.path().join("head.sigstore.json");
    let name = file.display().to_string();
    let script = packages.join("guardhost-bundle.mjs");
    fs::write(&script, BUNDLE_READER).unwrap();
    let by_sigstore = |key: &str| -> Value {
        let output = Command::new("node").arg(&script).arg(&file).arg(keys.path(key)).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    let by_host = || {
        let ran = replay(&repo, &[&commit, "--attestation", &name, "--allowed-signers", &keys.text("allowed")]);
        ran.json()["attestation"]["signature"]["outcome"].clone()
    };
    replay(&repo, &[&commit, "--attest", &keys.text("ada"), "--attestation", &name]).expect(0);
    assert_eq!(by_sigstore("ada.pub"), serde_json::json!(["https://in-toto.io/Statement/v1", commit]));
    assert_eq!(by_host(), "good");
    assert_eq!(by_sigstore("eve.pub"), "SIGNATURE_ERROR");
    let text = fs::read_to_string(&file).unwrap();
    let at = text.find("\"payload\":\"").unwrap() + "\"payload\":\"".len();
    for (changed, outcome) in [(at + 40, "SIGNATURE_ERROR"), (text.find("\"sig\":\"").unwrap() + 10, "SIGNATURE_ERROR")]
    {
        let mut forged = text.clone().into_bytes();
        forged[changed] = if forged[changed] == b'A' { b'B' } else { b'A' };
        fs::write(&file, forged).unwrap();
        assert_eq!(by_sigstore("ada.pub"), outcome);
        assert_ne!(by_host(), "good");
    }
}
