//! How a command in a sandbox ended.

use std::time::Duration;

use super::records::SandboxRecords;
use guardhost_core::stop;

/// A command that ended by itself.
#[derive(Debug)]
pub struct Exit {
    /// 128 + the signal when a signal killed it.
    pub code: u8,
    /// Standard output and standard error, interleaved.
    pub output: Vec<u8>,
    /// What its reporter wrote.
    pub records: SandboxRecords,
}

/// A command that the host killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KilledCommand {
    TimedOut(Duration),
    /// It used more than a limit; says which.
    OverLimit(String),
    /// The host was asked to stop.
    Stopped(stop::Stopped),
}
