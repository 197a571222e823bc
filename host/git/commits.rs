//! The commits of a range.

use git2::Sort;

use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

/// What `git log --first-parent --reverse` lists for `A..B`, `A...B` or one commit: ids and the first lines of messages, oldest
/// first. Errors: a revision that does not exist ([`guardhost_core::error::Kind::Usage`]), a commit that cannot be read.
pub fn commits(repo: &Repo, spec: &str) -> Result<Vec<(Oid, String)>> {
    let end = |revision: &str| repo.resolve(if revision.is_empty() { "HEAD" } else { revision });
    let (hidden, tip) = match spec.split_once("...").or_else(|| spec.split_once("..")) {
        Some((a, b)) => (Some(end(a)?), end(b)?),
        None => (None, repo.resolve(spec)?),
    };
    let store = repo.store();
    let handle = store.handle();
    let failed = |cause| failed(format!("cannot list the commits of {spec}"), cause);
    let subject = |oid: Oid| -> Result<(Oid, String)> {
        let commit = handle.find_commit(oid).map_err(failed)?;
        let line = commit.message_bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok((oid, String::from_utf8_lossy(line).into_owned()))
    };
    let Some(hidden) = hidden else { return Ok(vec![subject(tip)?]) };
    let mut walk = handle.revwalk().map_err(failed)?;
    let mut begin = || {
        walk.set_sorting(Sort::TOPOLOGICAL)?;
        walk.simplify_first_parent()?;
        walk.push(tip)?;
        walk.hide(hidden)
    };
    begin().map_err(failed)?;
    let mut found = walk.map(|oid| subject(oid.map_err(failed)?)).collect::<Result<Vec<_>>>()?;
    found.reverse();
    Ok(found)
}
