//! A part of a change: some of its files, and of some files some hunks.

use std::collections::BTreeMap;

use guardhost_core::change::{Candidate, ChangeType, FileChange, FileMode, Objects as _, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;
use guardhost_git::{Hunk, Repo, with_hunks};

/// What of a file is in a part.
#[derive(Clone)]
pub enum Share {
    Whole,
    /// From top to bottom.
    Hunks(Vec<Hunk>),
}

/// By the number of the file in the change.
pub type Shares = BTreeMap<usize, Share>;

/// Both sides of a file that the change modifies. None of any other file: it is taken whole, or not at all.
///
/// # Errors
/// The repository's objects cannot be read.
pub fn texts(change: &Candidate, number: usize) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    let FileChange { change_type: ChangeType::Modify, before: Some(before), after: Some(after), .. } =
        &change.files[number]
    else {
        return Ok(None);
    };
    if before.mode != after.mode || before.mode == FileMode::Submodule {
        return Ok(None);
    }
    let objects = &change.objects;
    Ok(Some((objects.blob(before.oid)?.to_vec(), objects.blob(after.oid)?.to_vec())))
}

/// The base of the change with these shares of its files.
///
/// # Errors
/// The repository's objects cannot be read.
pub fn tree(repo: &Repo, change: &Candidate, shares: &Shares) -> Result<Oid> {
    let mut edits: Vec<(RepoPath, Option<TreeEntry>)> = Vec::new();
    let store = repo.store();
    for (number, share) in shares {
        let file = &change.files[*number];
        if let (ChangeType::Rename, Some(old)) = (file.change_type, &file.old_path) {
            edits.push((old.clone(), None));
        }
        let whole = file.after.map(|blob| TreeEntry { oid: blob.oid, mode: blob.mode });
        let entry = match (share, texts(change, *number)?, whole) {
            (Share::Hunks(chosen), Some((old, new)), Some(whole)) => {
                Some(TreeEntry { oid: store.put_blob(&with_hunks(&old, &new, chosen))?, ..whole })
            }
            (Share::Whole | Share::Hunks(_), _, whole) => whole,
        };
        edits.push((file.path.clone(), entry));
    }
    store.edit_tree(change.base_tree, &edits)
}
