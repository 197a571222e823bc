//! The toolchain service: runs builds and tests for guards that have the grant.

use std::path::Path;

use guardhost_core::process_env::ProcessEnv;
use guardhost_git::Repo;
use guardhost_toolchain::{Toolchain, ToolchainSetup};

/// Creates and runs nothing until a guard asks.
pub fn toolchain(process: &ProcessEnv, repo: &Repo) -> Toolchain {
    // Without one, every base builds in a copy.
    let head = repo.head().ok().and_then(|head| head.commit);
    Toolchain::new(ToolchainSetup {
        exe: process.exe.clone(),
        cache: process.cache.clone(),
        repository: repo.common_dir().to_path_buf(),
        state: repo.common_dir().join("guardhost"),
        head,
        workdir: repo.workdir().map(Path::to_path_buf),
        env: process.env.clone(),
    })
}
