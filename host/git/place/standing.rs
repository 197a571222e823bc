//! A file that only the work tree has, as git would take it.

use crate::{Repo, failed};
use guardhost_core::change::{FileMode, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};

use super::files::{Files, Standing};

/// The file at `path`, its content converted as `git add` does and kept in memory; None when nothing stands there.
///
/// Errors ([`Kind::Git`]): what stands there is not a plain file, is ignored, or lies below a link.
pub fn standing(repo: &Repo, path: &RepoPath) -> Result<Option<TreeEntry>> {
    let workdir = super::workdir(repo)?;
    let files = Files::below(workdir)?;
    let refused = |why: &str| Fault::new(Kind::Git, format!("{path} {why}"));
    for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        match files.look(&RepoPath::new(&path.as_bytes()[..slash]))? {
            Standing::Directory => {}
            Standing::Nothing => return Ok(None),
            _ => return Err(refused("lies below something that is not a directory").into()),
        }
    }
    let mode = match files.look(path)? {
        Standing::Nothing => return Ok(None),
        Standing::File(stamp) if stamp.mode & 0o100 != 0 => FileMode::Executable,
        Standing::File(_) => FileMode::File,
        Standing::Link(..) | Standing::Directory | Standing::Other => return Err(refused("is not a plain file").into()),
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
