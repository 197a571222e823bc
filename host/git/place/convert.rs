//! Blobs as they look in the work tree: line endings and `$Id$` converted as the repository's attributes say.

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;

use git2::build::CheckoutBuilder;

use crate::change::{Oid, RepoPath};
use crate::error::{Context, Fault, Kind, Result};
use crate::git::diff::Difference;
use crate::git::{Repo, failed};

/// What is to stand at a path.
pub(super) enum Content {
    File {
        bytes: Vec<u8>,
        /// Permission bits, the user's umask already taken into account.
        permissions: u32,
    },
    Link(Vec<u8>),
}

/// libgit2 converts only on its way into a directory, so it is given one, outside the work tree.
pub(super) fn contents(repo: &Repo, tree: Oid, touched: &[Difference]) -> Result<HashMap<RepoPath, Content>> {
    let new: Vec<&RepoPath> =
        touched.iter().filter(|difference| difference.after.is_some()).map(|difference| &difference.path).collect();
    // Without a path libgit2 would take them all.
    if new.is_empty() {
        return Ok(HashMap::new());
    }
    let read = || Fault::new(Kind::Git, "cannot prepare the files of the change");
    let dir = tempfile::tempdir_in(repo.state_dir()?).with_context(read)?;
    let mut checkout = CheckoutBuilder::new();
    checkout.force().update_index(false).disable_pathspec_match(true).target_dir(dir.path());
    for path in &new {
        checkout.path(path.as_bytes());
    }
    {
        let store = repo.store();
        let handle = store.handle();
        let failed = |cause| failed("cannot prepare the files of the change", cause);
        let tree = handle.find_object(tree, None).map_err(failed)?;
        handle.checkout_tree(&tree, Some(&mut checkout)).map_err(failed)?;
    }
    let content = |path: &RepoPath| {
        let file = dir.path().join(path.to_os());
        let data = fs::symlink_metadata(&file)?;
        if data.is_symlink() {
            return fs::read_link(&file).map(|target| Content::Link(target.into_os_string().into_vec()));
        }
        let bytes = fs::read(&file)?;
        Ok(Content::File { bytes, permissions: data.permissions().mode() & 0o777 })
    };
    new.into_iter().map(|path| Ok((path.clone(), content(path).with_context(read)?))).collect()
}
