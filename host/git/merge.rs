//! Merging in memory, and which commit descends from which.

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
            let mut paths = Vec::new();
            for conflict in index.conflicts().map_err(failed)? {
                let conflict = conflict.map_err(failed)?;
                let side = conflict.our.or(conflict.their).or(conflict.ancestor);
                paths.extend(side.map(|entry| String::from_utf8_lossy(&entry.path).into_owned()));
            }
            paths.sort();
            paths.dedup();
            Ok(Merged::Conflicts(paths))
        })
    }
}
