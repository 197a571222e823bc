//! The staged change, as a candidate.

use std::path::Path;

use super::candidate::candidate;
use super::index::Index;
use super::{Repo, index_diff};
use guardhost_core::change::{Candidate, Note, Objects, RepoPath};
use guardhost_core::error::{Fault, FaultKind, Result};

/// What `git commit` would commit now: the difference between HEAD and the index.
///
/// Files of `git add --intent-to-add` are left out, as git leaves them out, and noted.
///
/// Errors ([`FaultKind::Git`]): a bare repository, unmerged files, an index that cannot be read.
pub fn staged(repo: &Repo) -> Result<Candidate> {
    staged_in(repo, &repo.index_path(None)?)
}

/// The same for another index file, from [`Repo::index_path`]: git names one to its hooks when it commits only some files.
pub fn staged_in(repo: &Repo, index: &Path) -> Result<Candidate> {
    if repo.is_bare() {
        return Err(Fault::new(FaultKind::Git, "a bare repository has no index")
            .hint("judge commits instead: --range A..B")
            .into());
    }
    let head = repo.head()?;
    let index = Index::read(index)?;
    let store = repo.store();
    let index_diff::IndexDiff { mut edits, intent_to_add, unmerged, sparse_dirs } =
        index_diff::compare(&store.handle(), head.tree, &index)?;
    if !unmerged.is_empty() {
        return Err(Fault::new(FaultKind::Git, format!("unmerged files: {}", listed(&unmerged)))
            .hint("resolve the conflicts and `git add` the files")
            .into());
    }
    for (dir, tree) in sparse_dirs {
        store.walk(tree, &mut |path, entry| {
            edits.push((RepoPath::new([&dir, path.as_bytes()].concat()), Some(entry)));
            true
        })?;
    }
    let tree = store.edit_tree(head.tree, &edits)?;
    let notes = match intent_to_add.is_empty() {
        true => Vec::new(),
        false => {
            vec![Note::new(
                "intent-to-add",
                format!("left out, since only `git add --intent-to-add` names them: {}", listed(&intent_to_add)),
            )]
        }
    };
    Ok(Candidate { notes, ..candidate(repo, head.commit, head.tree, tree)? })
}

fn listed(paths: &[RepoPath]) -> String {
    paths.iter().map(RepoPath::to_string).collect::<Vec<_>>().join(", ")
}
