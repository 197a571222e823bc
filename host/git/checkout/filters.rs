//! Blobs as they look in the work tree: line endings and `$Id$` converted as the repository's attributes say.

use std::collections::BTreeSet;
use std::path::Path;

use git2::Index;
use git2::build::CheckoutBuilder;

use super::work_tree::parents;
use crate::{Repo, failed};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

const ATTRIBUTES: &[u8] = b".gitattributes";

/// Writes these files of `tree`, with their directories, into the empty directory `target`.
///
/// libgit2 converts only when it checks out into a directory. The index that it gets meanwhile holds nothing but the attributes of
/// `index`, which it reads where the work tree has no such file. With the whole index it would write only what differs from that,
/// and omit a file that is a link or a directory there.
pub(super) fn write(repo: &Repo, tree: Oid, paths: &[&RepoPath], index: &Index, target: &Path) -> Result<()> {
    // Without a path libgit2 would check out all files.
    if paths.is_empty() {
        return Ok(());
    }
    let mut checkout = CheckoutBuilder::new();
    checkout.force().refresh(false).update_index(false).disable_pathspec_match(true).target_dir(target);
    for path in paths {
        checkout.path(path.as_bytes());
    }
    let store = repo.store();
    let handle = store.handle();
    let checked_out = (|| {
        let mut attributes = attributes_of(index, paths)?;
        let mut own = handle.index()?;
        handle.set_index(&mut attributes)?;
        let done = handle.find_object(tree, None).and_then(|tree| handle.checkout_tree(&tree, Some(&mut checkout)));
        handle.set_index(&mut own)?;
        done
    })();
    checked_out.map_err(|cause| failed("cannot prepare the files of the change", cause))
}

/// The `.gitattributes` that apply to these paths, but for those that are to be written.
fn attributes_of(index: &Index, paths: &[&RepoPath]) -> Result<Index, git2::Error> {
    let dirs: BTreeSet<RepoPath> = paths.iter().flat_map(|path| parents(path)).collect();
    let above = dirs.iter().map(|dir| [dir.as_bytes(), b"/", ATTRIBUTES].concat()).chain([ATTRIBUTES.to_vec()]);
    let mut attributes = Index::new()?;
    for file in above.map(RepoPath::new).filter(|file| !paths.contains(&file)) {
        if let Some(entry) = index.get_path(&file.to_os(), 0) {
            attributes.add(&entry)?;
        }
    }
    Ok(attributes)
}
