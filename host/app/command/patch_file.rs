//! From a patch file to a candidate: the middle of the way, for `check --patch` and `apply`.

use std::io::Read;
use std::path::Path;

use guardhost_core::change::{AccountPart, Candidate, Reply, RepoPath, RoundFailure, Tree};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;
use guardhost_git::{Head, Repo};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{StageLog, StageResult, propose};
use guardhost_patch::sanitize::Rules;

use crate::context::CommandContext;
use guardhost_report::{ExplainedLines, ReadLines};

/// Patches above this are not read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The bytes of a patch; `-` is standard input.
pub fn read(ctx: &CommandContext, file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(ctx.path(file)).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    read.with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the patch {}", file.display())))?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("the patch {} has more than {} MiB", file.display(), LARGEST >> 20);
        return Err(Fault::new(FaultKind::Git, what).hint("place it in parts").into());
    }
    Ok(bytes)
}

/// What a patch was read as, line by line: of a reply that is refused before all of its lines were looked at, nothing.
#[derive(Default)]
pub struct Reading {
    repaired: Vec<u8>,
    parts: Vec<AccountPart>,
}

impl StageLog for Reading {
    fn see(&mut self, made: StageResult<'_>) -> Result<()> {
        match made {
            StageResult::Repaired { repaired, .. } => self.repaired.clone_from(&repaired.bytes),
            StageResult::Extracted(patch) => self.parts = patch.account.parts().to_vec(),
            StageResult::Sanitized(_) | StageResult::Applied(_) => {}
        }
        Ok(())
    }
}

impl Reading {
    /// `placed` is what came of the patch.
    pub fn explanation(&self, placed: &std::result::Result<Candidate, RoundFailure>) -> Vec<ExplainedLines> {
        let parts = match placed {
            Err(RoundFailure::NoPatch(none)) => &none.parts,
            Err(RoundFailure::Refused(_) | RoundFailure::Misfit(_) | RoundFailure::Rejected(_)) | Ok(_) => &self.parts,
        };
        ExplainedLines::from_reply(&String::from_utf8_lossy(&self.repaired), ReadLines::from_parts(parts))
    }
}

/// Applies it to HEAD, in memory. `log` sees what it was read as.
///
/// # Errors
/// Of the repository. A patch that cannot be applied is the inner error.
pub fn apply(
    bytes: Vec<u8>,
    hints: &[RepoPath],
    repo: &Repo,
    head: &Head,
    rules: &Rules,
    log: &mut dyn StageLog,
    stop: &StopToken,
) -> Result<Result<Candidate, RoundFailure>> {
    let base =
        ApplyBase { base: head.commit, tree: Tree { objects: repo.store(), oid: head.tree }, seen_by_provider: None };
    match propose(&Reply { bytes, ..Reply::default() }, hints, &base, rules, log, stop) {
        Ok(candidate) => Ok(Ok(candidate)),
        Err(stop) => stop.into_failure().map(Err),
    }
}
