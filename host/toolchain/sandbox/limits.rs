//! The limits of a build or a test run, each with its reason.

use std::time::Duration;

use rustix::process::{Resource, Rlimit};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of one command, from its start to the end of its last process.
    pub wall: Duration,
    /// Resident bytes of all its processes together: linkers of large programs take two or three GiB.
    pub memory: u64,
    /// Living processes at once: build tools start one a core, test suites some servers.
    pub processes: usize,
    /// Bytes of standard output and error together. No report is that long, and the host can hold it in memory.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { wall: Duration::from_secs(600), memory: 6 << 30, processes: 512, output: 64 << 20 }
    }
}

/// Limits that the kernel enforces for each process; the supervisor sets them.
#[derive(Debug, Serialize, Deserialize)]
pub struct PerProcess {
    cpu_seconds: u64,
    file_bytes: u64,
    open_files: u64,
}

impl From<&Limits> for PerProcess {
    fn from(limits: &Limits) -> Self {
        PerProcess {
            // Eight threads at full speed until the wall.
            cpu_seconds: limits.wall.as_secs().max(1) * 8,
            // The largest files of a build are libraries with debug information.
            file_bytes: 4 << 30,
            open_files: 4096,
        }
    }
}

impl PerProcess {
    pub fn set(&self) -> std::io::Result<()> {
        limit(Resource::Cpu, self.cpu_seconds)?;
        limit(Resource::Fsize, self.file_bytes)?;
        limit(Resource::Nofile, self.open_files)?;
        limit(Resource::Core, 0)
    }
}

fn limit(resource: Resource, limit: u64) -> std::io::Result<()> {
    let held = rustix::process::getrlimit(resource);
    let limit = held.maximum.map_or(limit, |maximum| maximum.min(limit));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}
