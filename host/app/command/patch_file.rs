//! From a patch file to a candidate: the middle of the way, for `check --patch` and `apply`.

use std::io::Read;
use std::path::Path;

use guardhost_core::change::{Candidate, Reply, RepoPath, RoundFailure, Tree};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_git::{Head, Repo};
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;
use guardhost_patch::sanitize::{Rules, sanitize};

use super::CommandContext;

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
    read.with_context(|| Fault::new(Kind::Usage, format!("cannot read the patch {}", file.display())))?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("the patch {} has more than {} MiB", file.display(), LARGEST >> 20);
        return Err(Fault::new(Kind::Git, what).hint("place it in parts").into());
    }
    Ok(bytes)
}

/// Places it on HEAD, in memory.
pub fn place(
    bytes: Vec<u8>,
    hints: &[RepoPath],
    repo: &Repo,
    head: &Head,
    rules: &Rules,
) -> Result<Result<Candidate, RoundFailure>> {
    let mended = repair(&Reply { bytes, ..Reply::default() });
    let tree = Tree { objects: repo.store(), oid: head.tree };
    let patch = match extract(mended, hints) {
        Ok(patch) => patch,
        Err(none) => return Ok(Err(RoundFailure::NoPatch(none))),
    };
    let clean = match sanitize(patch, rules, &tree) {
        Ok(clean) => clean,
        Err(refused) => return Ok(Err(RoundFailure::Refused(refused))),
    };
    let ground = ApplyBase { base: head.commit, tree, shown: None };
    Ok(apply(&clean, &ground)?.map_err(RoundFailure::Misfit))
}
