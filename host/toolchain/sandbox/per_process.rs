//! The limits of a build or a test run that the kernel enforces for each process.

use rustix::process::{Resource, Rlimit};
use serde::{Deserialize, Serialize};

use super::limits::SandboxLimits;

/// Limits that the kernel enforces for each process; the supervisor sets them.
#[derive(Debug, Serialize, Deserialize)]
pub struct PerProcess {
    cpu_seconds: u64,
    file_bytes: u64,
    open_files: u64,
    /// Threads of the user, on the whole machine, that there may be before another can be made. The kernel does not apply it to root.
    tasks: Option<u64>,
}

impl From<&SandboxLimits> for PerProcess {
    fn from(limits: &SandboxLimits) -> Self {
        PerProcess {
            // Eight threads at full speed until the wall.
            cpu_seconds: limits.wall.as_secs().max(1) * 8,
            // The largest files of a build are libraries with debug information.
            file_bytes: 4 << 30,
            open_files: 4096,
            // Runtimes start some threads a processor in each process. The poll that counts processes is too slow for a fork bomb.
            tasks: tasks_now().map(|now| now + limits.processes as u64 * 16),
        }
    }
}

impl PerProcess {
    pub fn set(&self) -> std::io::Result<()> {
        limit(Resource::Cpu, self.cpu_seconds)?;
        limit(Resource::Fsize, self.file_bytes)?;
        limit(Resource::Nofile, self.open_files)?;
        if let Some(tasks) = self.tasks {
            limit(Resource::Nproc, tasks)?;
        }
        limit(Resource::Core, 0)
    }
}

/// Of all users: the fourth number of `/proc/loadavg` (proc(5)), `running/all`.
fn tasks_now() -> Option<u64> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    load.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}

fn limit(resource: Resource, limit: u64) -> std::io::Result<()> {
    let held = rustix::process::getrlimit(resource);
    let limit = held.maximum.map_or(limit, |maximum| maximum.min(limit));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}
