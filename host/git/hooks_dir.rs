//! Where git looks for hooks.

use std::path::PathBuf;

use git2::ErrorCode;

use super::{Repo, failed};
use guardhost_core::error::Result;

/// `core.hooksPath`, which begins at the root of the work tree, else `hooks` of the git directory. It need not exist.
pub fn hooks_dir(repo: &Repo) -> Result<PathBuf> {
    let store = repo.store();
    let failed = |cause| failed("cannot read core.hooksPath", cause);
    let config = store.handle().config().and_then(|mut config| config.snapshot()).map_err(failed)?;
    match config.get_path("core.hooksPath") {
        Ok(path) => Ok(repo.workdir().unwrap_or(repo.git_dir()).join(path)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(repo.common_dir().join("hooks")),
        Err(cause) => Err(failed(cause)),
    }
}
