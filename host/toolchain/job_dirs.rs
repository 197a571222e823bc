//! The folders of one command, and who may change what is kept in them.

use std::path::PathBuf;

/// The folders of one command.
pub struct JobDirs {
    /// Deleted before the next command.
    pub home: PathBuf,
    pub temp: PathBuf,
    /// The tool's build folder.
    pub built: PathBuf,
    /// Programs of the host that run inside of test runners. The sandbox cannot write to it.
    pub reporters: PathBuf,
}

/// Who may change a build folder that later runs start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildCache {
    /// The tree is a commit that the user's HEAD contains.
    Update,
    /// A candidate, or a commit that no user has taken over yet: it builds in a copy.
    Copy,
}
