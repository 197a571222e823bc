//! What the process between cargo and a test binary reports: see `run_suite`.

use serde::{Deserialize, Serialize};

/// The hidden subcommand: the report's key, the build folder, then the command.
pub const SUITE: &str = "__suite";

/// One record of the report.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// The binary's file name.
    pub binary: String,
    /// 128 + the signal when a signal killed it.
    pub code: u8,
    pub stdout: String,
    pub stderr: String,
    /// There was more of the output.
    pub cut: bool,
}
