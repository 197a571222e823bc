//! Merging in memory, and which commit descends from which.

use git2::{Index, Repository, Signature, Time};

use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

/// What merging two commits comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// The tree, on disk.
    Clean(Oid),
    /// Paths at which both sides changed the same lines, sorted; the repository is as it was.
    Conflicts(Vec<String>),
}

/// What merging two commits into a commit comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergedInMemory {
    /// A commit with both as its parents, and its tree. Of [`Repo::merge_in_memory`], only this repository's [`Store`](super::Store)
    /// knows them.
    Clean { commit: Oid, tree: Oid },
    /// As [`Merged::Conflicts`].
    Conflicts(Vec<String>),
}

impl Repo {
    /// Whether `commit` is `ancestor`, or descends from it.
    pub fn contains(&self, commit: Oid, ancestor: Oid) -> Result<bool> {
        self.on_disk(|repo| {
            let descends = || {
                repo.graph_descendant_of(commit, ancestor)
                    .map_err(|cause| failed(format!("cannot compare {commit} with {ancestor}"), cause))
            };
            Ok(commit == ancestor || descends()?)
        })
    }

    /// The tree of a merge of two commits. Neither HEAD, the index nor the work tree is touched.
    pub fn merge(&self, ours: Oid, theirs: Oid) -> Result<Merged> {
        self.on_disk(|repo| {
            let failed = |cause| failed(format!("cannot merge {theirs} into {ours}"), cause);
            let (ours, theirs) = (repo.find_commit(ours).map_err(failed)?, repo.find_commit(theirs).map_err(failed)?);
            let mut index = repo.merge_commits(&ours, &theirs, None).map_err(failed)?;
            if !index.has_conflicts() {
                return Ok(Merged::Clean(index.write_tree_to(repo).map_err(failed)?));
            }
            Ok(Merged::Conflicts(conflicts(&index).map_err(failed)?))
        })
    }

    /// The merge of two commits as a commit in memory, so that it can be merged with others in turn. It has no name and no time of its own:
    /// the same two commits give the same one.
    pub fn merge_in_memory(&self, ours: Oid, theirs: Oid) -> Result<MergedInMemory> {
        merged_commit(&self.store().handle(), ours, theirs)
    }

    /// The same, with the commit and its objects on disk, where other programs find them. No ref names it: git removes it after a while.
    pub fn merge_to_disk(&self, ours: Oid, theirs: Oid) -> Result<MergedInMemory> {
        self.on_disk(|repo| merged_commit(repo, ours, theirs))
    }
}

fn merged_commit(handle: &Repository, ours: Oid, theirs: Oid) -> Result<MergedInMemory> {
    let failed = |cause| failed(format!("cannot merge {theirs} into {ours}"), cause);
    let (one, other) = (handle.find_commit(ours).map_err(failed)?, handle.find_commit(theirs).map_err(failed)?);
    let mut index = handle.merge_commits(&one, &other, None).map_err(failed)?;
    if index.has_conflicts() {
        return Ok(MergedInMemory::Conflicts(conflicts(&index).map_err(failed)?));
    }
    let tree = handle.find_tree(index.write_tree_to(handle).map_err(failed)?).map_err(failed)?;
    let author = Signature::new("Guardhost", "guardhost@localhost", &Time::new(0, 0)).map_err(failed)?;
    let commit = handle.commit(None, &author, &author, "merge", &tree, &[&one, &other]).map_err(failed)?;
    Ok(MergedInMemory::Clean { commit, tree: tree.id() })
}

fn conflicts(index: &Index) -> Result<Vec<String>, git2::Error> {
    let mut paths = Vec::new();
    for conflict in index.conflicts()? {
        let conflict = conflict?;
        let side = conflict.our.or(conflict.their).or(conflict.ancestor);
        paths.extend(side.map(|entry| String::from_utf8_lossy(&entry.path).into_owned()));
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}
