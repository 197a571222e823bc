//! Commits that are new to a ref, each as a change of its own.

use git2::{Commit, Repository, Sort};

use super::commits::{first_parent, info};
use super::repo::empty_tree;
use super::{Repo, failed};
use crate::candidate::candidate;
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;

impl Repo {
    /// Names and objects of the refs whose names begin with `prefix`, such as `refs/heads/`. Symbolic refs are followed to refs below the same
    /// prefix, and left out where they lead elsewhere or nowhere: what a branch is said to hold must have entered a branch. No object is
    /// read: there may be thousands of refs.
    pub fn refs(&self, prefix: &str) -> Result<Vec<(String, Oid)>> {
        let store = self.store();
        let handle = store.handle();
        let failed = |cause| failed(format!("cannot list the refs below {prefix}"), cause);
        let found = handle.references_glob(&format!("{prefix}*")).map_err(failed)?;
        let mut named = Vec::new();
        for reference in found {
            let reference = reference.map_err(failed)?;
            let Ok(direct) = reference.resolve() else { continue };
            if let Some(oid) = direct.target().filter(|_| direct.name_bytes().starts_with(prefix.as_bytes())) {
                named.push((lossy(reference.name_bytes()), oid));
            }
        }
        Ok(named)
    }

    /// Whether git's file of grafts gives commits other parents than they have, here and to whoever asks libgit2.
    pub fn has_grafts(&self) -> bool {
        match std::fs::read(self.common_dir().join("info/grafts")) {
            Ok(text) => !text.trim_ascii().is_empty(),
            // One that cannot be read may have any.
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// The object that a ref leads to, over symbolic refs too; None where it leads nowhere.
    pub fn ref_target(&self, name: &str) -> Option<Oid> {
        let store = self.store();
        let handle = store.handle();
        handle.find_reference(name).ok()?.resolve().ok()?.target()
    }
}

fn lossy(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// The commits that `tip` reaches and none of `known` does, oldest first. Empty where `tip` is no commit: a tag of a file.
///
/// Objects of `known` that this repository does not have are left out: another repository may be ahead.
pub fn new_commits(repo: &Repo, tip: Oid, known: &[Oid]) -> Result<Vec<Oid>> {
    let store = repo.store();
    let handle = store.handle();
    let failed = |cause| failed(format!("cannot list what is new in {tip}"), cause);
    let object = handle.find_object(tip, None).map_err(failed)?;
    let Ok(commit) = object.peel_to_commit() else { return Ok(Vec::new()) };
    if known.contains(&commit.id()) {
        return Ok(Vec::new());
    }
    // Most often one commit stands on what was there, and nothing newer has it: then no history is walked.
    if commit.parent_count() > 0 && commit.parent_ids().all(|parent| known.contains(&parent)) {
        let may_reach = |oid: &&Oid| handle.find_commit(**oid).is_ok_and(|other| other.time() >= commit.time());
        let is_reached = |newer: &Oid| handle.graph_descendant_of(*newer, commit.id());
        let mut newer = known.iter().filter(may_reach);
        let is_known = newer.try_fold(false, |found, newer| Ok(found || is_reached(newer)?)).map_err(failed)?;
        return Ok(if is_known { Vec::new() } else { vec![commit.id()] });
    }
    let mut walk = handle.revwalk().map_err(failed)?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE).map_err(failed)?;
    walk.push(commit.id()).map_err(failed)?;
    for oid in known {
        if handle.find_commit(*oid).is_ok() {
            walk.hide(*oid).map_err(failed)?;
        }
    }
    walk.collect::<Result<Vec<Oid>, _>>().map_err(failed)
}

/// The commit of `known` that has the same tree and the same parents: `oid` is that commit with another message or author.
///
/// Objects of `known` that this repository does not have, and those that are no commits, are left out.
pub fn reworded(repo: &Repo, oid: Oid, known: &[Oid]) -> Result<Option<Oid>> {
    let store = repo.store();
    let handle = store.handle();
    let commit = handle.find_commit(oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
    let same = |other: &Commit| other.tree_id() == commit.tree_id() && other.parent_ids().eq(commit.parent_ids());
    let mut others = known.iter().filter(|other| **other != oid);
    Ok(others.find(|other| handle.find_commit(**other).is_ok_and(|other| same(&other))).copied())
}

/// What a commit changes: compared with its parent; for a merge, with what git makes of its parents where that has no conflict, so that
/// only what the author of the merge did by hand is left. Else with its first parent.
pub fn commit_change(repo: &Repo, oid: Oid) -> Result<Candidate> {
    let parent = first_parent(repo, oid)?;
    let (old, new, commit) = {
        let store = repo.store();
        let handle = store.handle();
        let failed = |cause| failed(format!("cannot read commit {oid}"), cause);
        let commit = handle.find_commit(oid).map_err(failed)?;
        let old = match merged(&handle, &commit) {
            Some(merged) => merged,
            None => match commit.parent(0) {
                Ok(parent) => parent.tree_id(),
                Err(_) => empty_tree()?,
            },
        };
        (old, commit.tree_id(), info(&commit))
    };
    Ok(Candidate { commits: vec![commit], ..candidate(repo, parent, old, new)? })
}

/// The same for each parent of a merge that git does not make by itself: which of them is the first is its author's choice.
///
/// # Errors
/// The commit or a tree cannot be read.
pub fn changes_of(repo: &Repo, oid: Oid) -> Result<Vec<Candidate>> {
    if !is_merged_by_hand(repo, oid)? {
        return Ok(vec![commit_change(repo, oid)?]);
    }
    let change = commit_change(repo, oid)?;
    let new = repo.tree_of(oid)?;
    let beside = |parent: Oid| {
        let beside = candidate(repo, Some(parent), repo.tree_of(parent)?, new)?;
        Ok(Candidate { commits: change.commits.clone(), ..beside })
    };
    repo.parents_and_message(oid)?.0.into_iter().map(beside).collect()
}

/// Whether the commit is a merge of parents that conflict, or of more than two.
///
/// # Errors
/// The commit cannot be read.
pub(super) fn is_merged_by_hand(repo: &Repo, oid: Oid) -> Result<bool> {
    let store = repo.store();
    let handle = store.handle();
    let commit = handle.find_commit(oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
    Ok(commit.parent_count() > 1 && merged(&handle, &commit).is_none())
}

/// None for a commit that does not have two parents, and for parents that conflict.
fn merged(handle: &Repository, commit: &Commit) -> Option<Oid> {
    if commit.parent_count() != 2 {
        return None;
    }
    let (ours, theirs) = (commit.parent(0).ok()?, commit.parent(1).ok()?);
    let mut index = handle.merge_commits(&ours, &theirs, None).ok()?;
    // The objects stay in memory.
    if index.has_conflicts() { None } else { index.write_tree_to(handle).ok() }
}
