//! Whether git leaves a file out of commits.

use super::{Repo, failed};
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// An ignored file that is not tracked either. One that is tracked is committed whatever the ignore files say.
pub fn is_ignored(repo: &Repo, path: &RepoPath) -> Result<bool> {
    let store = repo.store();
    let handle = store.handle();
    let failed = |cause| failed(format!("cannot tell whether {path} is ignored"), cause);
    if !handle.is_path_ignored(path.to_os()).map_err(failed)? {
        return Ok(false);
    }
    Ok(handle.index().map_err(failed)?.get_path(&path.to_os(), 0).is_none())
}
