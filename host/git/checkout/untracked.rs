//! A file that only the work tree has, as git would add it.

use crate::{Repo, failed};
use guardhost_core::change::{FileMode, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, FaultKind, Result};

use super::work_tree::{DiskState, WorkTree};

/// The file at `path`, its content converted as by `git add` and kept in memory; None when there is nothing.
///
/// Errors ([`FaultKind::Git`]): it is not a plain file, is ignored, or is below a link.
pub fn untracked_file(repo: &Repo, path: &RepoPath) -> Result<Option<TreeEntry>> {
    let workdir = super::workdir(repo)?;
    let work_tree = WorkTree::open(workdir)?;
    let refused = |why: &str| Fault::new(FaultKind::Git, format!("{path} {why}"));
    for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        match work_tree.state(&RepoPath::new(&path.as_bytes()[..slash]))? {
            DiskState::Directory => {}
            DiskState::Nothing => return Ok(None),
            _ => return Err(refused("is below something that is not a directory").into()),
        }
    }
    let mode = match work_tree.state(path)? {
        DiskState::Nothing => return Ok(None),
        DiskState::File(stat) if stat.mode & 0o100 != 0 => FileMode::Executable,
        DiskState::File(_) => FileMode::File,
        DiskState::Link(..) | DiskState::Directory | DiskState::Other => {
            return Err(refused("is not a plain file").into());
        }
    };
    let store = repo.store();
    let handle = store.handle();
    let ignored = handle.is_path_ignored(path.to_os());
    if ignored.map_err(|cause| failed("cannot read the ignore rules", cause))? {
        return Err(refused("is ignored by git").hint(format!("git add --force {path}")).into());
    }
    let oid = handle.blob_path(&workdir.join(path.to_os()));
    let oid = oid.map_err(|cause| failed(format!("cannot read {path}"), cause))?;
    Ok(Some(TreeEntry { oid, mode }))
}
