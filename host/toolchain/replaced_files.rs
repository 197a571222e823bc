//! A tree in which some files do not stand as the tree has them: what would be if.

use guardhost_core::change::{Candidate, FileMode, Oid, TreeEntry};
use guardhost_core::error::Result;

use super::request::{Replaced, Replacement};

/// In memory. A file that is new in both sides gets the usual mode.
pub fn tree_with(candidate: &Candidate, of_base: bool, replaced: &[Replaced]) -> Result<Oid> {
    let (tree, other) = match of_base {
        true => (candidate.base_tree, candidate.tree),
        false => (candidate.tree, candidate.base_tree),
    };
    let mut edits = Vec::new();
    for Replaced { path, by } in replaced {
        let objects = &candidate.objects;
        let entry = match by {
            Replacement::AsOtherSide => objects.entry(other, path)?,
            Replacement::Content(bytes) => {
                let known =
                    objects.entry(tree, path)?.map_or_else(|| objects.entry(other, path), |entry| Ok(Some(entry)))?;
                let mode = known.map_or(FileMode::File, |entry| entry.mode);
                Some(TreeEntry { oid: objects.put_blob(bytes)?, mode })
            }
        };
        edits.push((path.clone(), entry));
    }
    // What goes makes room for what comes: a file where a folder was.
    edits.sort_by_key(|(_, entry)| entry.is_some());
    candidate.objects.edit_tree(tree, &edits)
}
