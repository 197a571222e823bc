//! From a patch file to a candidate: the middle of the way, for `check --patch` and `apply`.

use std::io::Read;
use std::path::Path;

use guardhost_core::change::{Candidate, Reply, RepoPath, RoundFailure, Tree};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_core::stop::StopToken;
use guardhost_git::{Head, Repo};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose;
use guardhost_patch::sanitize::Rules;

use crate::context::CommandContext;

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
///
/// # Errors
/// Of the repository. A patch that cannot be placed is the inner error.
pub fn place(
    bytes: Vec<u8>,
    hints: &[RepoPath],
    repo: &Repo,
    head: &Head,
    rules: &Rules,
    stop: &StopToken,
) -> Result<Result<Candidate, RoundFailure>> {
    let base =
        ApplyBase { base: head.commit, tree: Tree { objects: repo.store(), oid: head.tree }, seen_by_provider: None };
    match propose(&Reply { bytes, ..Reply::default() }, hints, &base, rules, &mut (), stop) {
        Ok(candidate) => Ok(Ok(candidate)),
        Err(stop) => stop.into_failure().map(Err),
    }
}
