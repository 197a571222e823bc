//! The limits of a build or a test run, each with its reason.

use std::time::Duration;

use guardhost_core::stop::StopToken;

#[derive(Debug, Clone)]
pub struct SandboxLimits {
    /// Of one command, from its start to the end of its last process.
    pub wall: Duration,
    /// Resident bytes of all its processes together: linkers of large programs take two or three GiB.
    pub memory: u64,
    /// Living processes at once: build tools start one a core, test suites some servers.
    pub processes: usize,
    /// Bytes of standard output and error together. No report is that long, and the host can hold it in memory.
    pub output: u64,
    /// Bytes on disk of the work tree, the build folder and temporary files together: large workspaces build 20 GiB.
    pub disk: u64,
    /// Files and folders in the same places: a million is a large `node_modules` three times.
    pub files: u64,
    /// Ends the command earlier.
    pub stop: StopToken,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        SandboxLimits {
            wall: Duration::from_secs(600),
            memory: 6 << 30,
            processes: 512,
            output: 64 << 20,
            disk: 40 << 30,
            files: 4_000_000,
            stop: StopToken::default(),
        }
    }
}
