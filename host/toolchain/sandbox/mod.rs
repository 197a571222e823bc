//! Runs one command without network, with only tools of the user's home readable, a few folders writable, and limits.
//!
//! Whatever confines a command needs Unix; elsewhere (`none`) there is no sandbox, and so no build and no test run.

mod exit;
mod limits;
mod records;

#[cfg(unix)]
mod bubblewrap;
#[cfg(unix)]
mod channel;
#[cfg(unix)]
mod confine;
#[cfg(unix)]
mod disk;
#[cfg(unix)]
mod keyring;
#[cfg(unix)]
mod kinds;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(all(unix, not(target_os = "linux")))]
mod no_namespace;
#[cfg(not(unix))]
mod none;
#[cfg(unix)]
mod per_process;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod started;
#[cfg(unix)]
mod supervise;
#[cfg(target_os = "linux")]
mod system_calls;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use exit::{Exit, KilledCommand};
pub use limits::SandboxLimits;
pub use records::{ReportFrom, SandboxRecords};

#[cfg(not(unix))]
pub use none::{CONFINE, DESCRIPTOR, SUPERVISE, Sandbox, confine, run_suite, supervise};
#[cfg(unix)]
pub use records::DESCRIPTOR;
#[cfg(unix)]
pub use {
    confine::{CONFINE, confine},
    kinds::Sandbox,
    supervise::{SUPERVISE, supervise},
};

/// Everything that a command sees of the machine.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// Files and folders; those that do not exist are left out.
    pub read: Vec<PathBuf>,
    /// Folders; they exist.
    pub write: Vec<PathBuf>,
    /// The folder for temporary files; among `write`.
    pub temp: PathBuf,
    pub env: BTreeMap<OsString, OsString>,
}

pub struct SandboxedCommand<'a> {
    pub program: &'a Path,
    pub args: &'a [OsString],
    pub dir: &'a Path,
    pub view: &'a View,
    pub limits: &'a SandboxLimits,
    /// The file that is locked while there are processes.
    pub busy: PathBuf,
    pub report: ReportFrom,
}
