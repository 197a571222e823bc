//! What runs builds and tests for the guards that may ask.

use std::path::Path;

use guardhost_core::process_env::Outside;
use guardhost_git::Repo;
use guardhost_toolchain::{Setup, Toolchain};

/// Nothing is made or run until a guard asks.
pub fn toolchain(outside: &Outside, repo: &Repo) -> Toolchain {
    Toolchain::new(Setup {
        exe: outside.exe.clone(),
        cache: outside.cache.clone(),
        repository: repo.common_dir().to_path_buf(),
        state: repo.common_dir().join("guardhost"),
        workdir: repo.workdir().map(Path::to_path_buf),
        env: outside.env.clone(),
    })
}
