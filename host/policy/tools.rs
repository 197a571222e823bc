//! What runs builds and tests for the guards that may ask.

use std::path::Path;

use guardhost_core::process_env::ProcessEnv;
use guardhost_git::Repo;
use guardhost_toolchain::{Toolchain, ToolchainSetup};

/// Nothing is made or run until a guard asks.
pub fn toolchain(process: &ProcessEnv, repo: &Repo) -> Toolchain {
    Toolchain::new(ToolchainSetup {
        exe: process.exe.clone(),
        cache: process.cache.clone(),
        repository: repo.common_dir().to_path_buf(),
        state: repo.common_dir().join("guardhost"),
        workdir: repo.workdir().map(Path::to_path_buf),
        env: process.env.clone(),
    })
}
