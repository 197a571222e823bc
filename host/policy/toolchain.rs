//! The toolchain service: runs builds and tests for guards that have the grant.

use std::path::Path;
use std::sync::Arc;

use guardhost_core::process_env::ProcessEnv;
use guardhost_git::Repo;
use guardhost_toolchain::{ConfiguredRunner, Toolchain, ToolchainSetup};

/// Creates and runs nothing until a guard asks. `runners` are those of the rules, which no change can edit.
pub fn toolchain(process: &ProcessEnv, repo: &Repo, runners: Vec<Arc<ConfiguredRunner>>) -> Toolchain {
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
        runners,
    })
}
