//! The toolchain service: runs builds and tests for guards that have the grant.

use std::path::Path;
use std::sync::Arc;

use guardhost_core::process_env::ProcessEnv;
use guardhost_git::Repo;
use guardhost_toolchain::{ConfiguredLinter, ConfiguredRunner, Toolchain, ToolchainSetup};

/// What the rules name, which no change can edit.
#[derive(Debug, Clone, Default)]
pub struct ConfiguredTools {
    pub runners: Vec<Arc<ConfiguredRunner>>,
    pub linters: Vec<Arc<ConfiguredLinter>>,
}

/// Creates and runs nothing until a guard asks.
pub fn toolchain(process: &ProcessEnv, repo: &Repo, tools: ConfiguredTools) -> Toolchain {
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
        runners: tools.runners,
        linters: tools.linters,
    })
}
