//! The change of a range of commits, as a candidate.

use std::collections::HashSet;

use super::candidate::candidate;
use super::commits::{commits_between, first_parent};
use super::new_commits::new_commits;
use super::{Repo, repo::empty_tree};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::{Fault, FaultKind, Result};

/// What git and forges write for a branch that was not there before.
pub const NOTHING: &str = "0000000000000000000000000000000000000000";

/// `A..B` compares the two, `A...B` compares their merge base with B, and `C` alone compares its first parent with C.
/// A missing end is HEAD, as in git. Where A is all zeros, B is a new branch: what no other branch has is the change. Where B is all zeros,
/// a branch was deleted, which changes no file: see [`deletes`].
///
/// Errors: a revision that does not exist ([`FaultKind::Usage`]); commits without a common ancestor, or a parent that is missing from a
/// shallow clone ([`FaultKind::Git`]).
pub fn range(repo: &Repo, spec: &str) -> Result<Candidate> {
    let end = |revision: &str| repo.resolve(if revision.is_empty() { "HEAD" } else { revision });
    let (base, tip) = if let Some(from) = deleted_from(spec) {
        let tip = end(from)?;
        (Some(tip), tip)
    } else if let Some(tip) = spec.strip_prefix(NOTHING).and_then(|rest| rest.strip_prefix("..")) {
        let tip = end(tip.strip_prefix('.').unwrap_or(tip))?;
        (branched_from(repo, tip)?, tip)
    } else if let Some((a, b)) = spec.split_once("...") {
        let (a, b) = (end(a)?, end(b)?);
        (Some(merge_base(repo, a, b, spec)?), b)
    } else if let Some((a, b)) = spec.split_once("..") {
        (Some(end(a)?), end(b)?)
    } else {
        let commit = repo.resolve(spec)?;
        (first_parent(repo, commit)?, commit)
    };
    let old = base.map_or_else(empty_tree, |base| repo.tree_of(base))?;
    let commits = commits_between(repo, base, tip)?;
    Ok(Candidate { commits, ..candidate(repo, base, old, repo.tree_of(tip)?)? })
}

/// The commit whose rules judge a range, and its tree. Of `A...B` that is A, into which B is to come, and not the merge base: who begins a
/// branch would choose it, and with it rules of a time before those of today. Of all others it is the base.
///
/// # Errors
/// As [`range`].
pub fn rules_commit(repo: &Repo, spec: &str, candidate: &Candidate) -> Result<(Option<Oid>, Oid)> {
    let is_new_or_gone = spec.starts_with(NOTHING) || deletes(spec);
    match spec.split_once("...").filter(|_| !is_new_or_gone) {
        Some((a, _)) => {
            let commit = repo.resolve(if a.is_empty() { "HEAD" } else { a })?;
            Ok((Some(commit), repo.tree_of(commit)?))
        }
        None => Ok((candidate.base, candidate.base_tree)),
    }
}

/// Whether a range says that a branch was deleted.
pub fn deletes(spec: &str) -> bool {
    deleted_from(spec).is_some()
}

/// The A of `A..B` and `A...B` where B is all zeros.
fn deleted_from(spec: &str) -> Option<&str> {
    let from = spec.strip_suffix(NOTHING)?.strip_suffix("..")?;
    Some(from.strip_suffix('.').unwrap_or(from)).filter(|from| *from != NOTHING)
}

/// The last commit of a branch, along first parents, that other branches have too. None for one that begins on its own.
///
/// A branch of this repository that goes on from the tip is not another one: nobody else has seen what it has.
fn branched_from(repo: &Repo, tip: Oid) -> Result<Option<Oid>> {
    let mut others: Vec<Oid> = repo.refs("refs/remotes/")?.into_iter().map(|(_, oid)| oid).collect();
    others.retain(|oid| *oid != tip);
    for (_, oid) in repo.refs("refs/heads/")? {
        // One that cannot be read vouches for nothing.
        if matches!(repo.contains(oid, tip), Ok(false)) {
            others.push(oid);
        }
    }
    let new: HashSet<Oid> = new_commits(repo, tip, &others)?.into_iter().collect();
    let mut at = Some(tip);
    while let Some(commit) = at.filter(|commit| new.contains(commit)) {
        at = first_parent(repo, commit)?;
    }
    Ok(at)
}

fn merge_base(repo: &Repo, a: Oid, b: Oid, spec: &str) -> Result<Oid> {
    let handle = repo.store();
    let handle = handle.handle();
    handle.merge_base(a, b).map_err(|cause| {
        let fault = Fault::new(FaultKind::Git, format!("the two ends of `{spec}` have no common ancestor here"));
        let hint = if handle.is_shallow() {
            "this clone is shallow: git fetch --unshallow"
        } else {
            "compare them as they are: A..B"
        };
        crate::without_class(&cause).context(fault.hint(hint))
    })
}
