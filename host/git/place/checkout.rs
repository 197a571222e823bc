//! Blobs as they look in the work tree: line endings and `$Id$` converted as the repository's attributes say.

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;

use git2::Index;
use git2::build::CheckoutBuilder;

use crate::tree_diff::Difference;
use crate::{Repo, failed};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::{Context, Fault, Kind, Result};

/// What is to be written at a path.
pub(super) enum Content {
    File {
        bytes: Vec<u8>,
        /// Permission bits, with the user's umask applied.
        permissions: u32,
    },
    Link(Vec<u8>),
}

/// libgit2 converts only when it checks out into a directory, so it gets one outside the work tree. It also gets an empty index, so
/// that it takes the directory for new. Otherwise it would write only what differs from HEAD, and omit a file that was a link or a
/// directory there.
///
/// The tree must be on disk.
pub(super) fn contents(repo: &Repo, tree: Oid, touched: &[Difference]) -> Result<HashMap<RepoPath, Content>> {
    let new: Vec<&RepoPath> =
        touched.iter().filter(|difference| difference.after.is_some()).map(|difference| &difference.path).collect();
    // Without a path libgit2 would check out all files.
    if new.is_empty() {
        return Ok(HashMap::new());
    }
    let cannot_prepare = || Fault::new(Kind::Git, "cannot prepare the files of the change");
    let dir = tempfile::tempdir_in(repo.state_dir()?).with_context(cannot_prepare)?;
    let mut checkout = CheckoutBuilder::new();
    checkout.force().refresh(false).update_index(false).disable_pathspec_match(true).target_dir(dir.path());
    for path in &new {
        checkout.path(path.as_bytes());
    }
    let handle = repo.open_handle()?;
    Index::new()
        .and_then(|mut empty| handle.set_index(&mut empty))
        .and_then(|()| handle.checkout_tree(&handle.find_object(tree, None)?, Some(&mut checkout)))
        .map_err(|cause| failed("cannot prepare the files of the change", cause))?;
    let content = |path: &RepoPath| {
        let file = dir.path().join(path.to_os());
        let data = fs::symlink_metadata(&file)?;
        if data.is_symlink() {
            return fs::read_link(&file).map(|target| Content::Link(target.into_os_string().into_vec()));
        }
        let bytes = fs::read(&file)?;
        Ok(Content::File { bytes, permissions: data.permissions().mode() & 0o777 })
    };
    new.into_iter().map(|path| Ok((path.clone(), content(path).with_context(cannot_prepare)?))).collect()
}
