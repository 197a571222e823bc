//! What asking a provider needs of its surroundings.

use std::path::PathBuf;

use guardhost_core::error::Result;

use super::{Cancel, Environment, Recorder};

/// Looks at the repository, before an answer; what it returns is called after the answer, and names what is no longer as it was.
pub type WatchRepository = Box<dyn Fn() -> Result<RepositoryChanges> + Send + Sync>;

/// See [`WatchRepository`].
pub type RepositoryChanges = Box<dyn FnOnce() -> Result<Vec<String>> + Send>;

/// What the library does not look up by itself.
pub struct ProviderRuntime {
    pub environment: Environment,
    /// A folder for scratch folders, such as `/tmp`.
    pub scratch: PathBuf,
    /// The program `host`, which attends agents: see `guardhost_process`.
    pub exe: PathBuf,
    /// The repository that programs must leave alone. None: there is none.
    pub repository: Option<WatchRepository>,
    pub cancel: Cancel,
    /// Keeps every reply.
    pub recorder: Option<Recorder>,
    /// Which part of the command asks; recordings tell the parts apart by it. None: the command has one part.
    pub step: Option<String>,
}
