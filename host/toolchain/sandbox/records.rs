//! What a command reports, and how.

use serde::{Deserialize, Serialize};

/// The variable that tells a reporter the number of its descriptor: the first that is free.
pub const DESCRIPTOR: &str = "GUARDHOST_REPORT";

/// How a program reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReportFrom {
    /// A reporter inside of it writes lines with the key to [`DESCRIPTOR`].
    #[default]
    Descriptor,
    /// Its own standard output, which it gives to no process that it starts.
    Stdout,
}

/// The lines of a report, without their key. Errors: why they cannot be used.
pub type SandboxRecords = Result<Vec<String>, String>;
