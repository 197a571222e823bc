//! Waiting for one child while orphans come and go.

use anyhow::{Context, Result};
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

/// Exit code when the status says neither an exit code nor a signal.
const UNKNOWN: i32 = 125;

/// Reaps whatever ends before the child does.
pub fn wait_for(child: u32) -> Result<WaitStatus> {
    let child = i32::try_from(child).ok().and_then(Pid::from_raw);
    loop {
        match wait(WaitOptions::empty()).context("cannot wait for the command")? {
            Some((pid, status)) if Some(pid) == child => return Ok(status),
            _ => {}
        }
    }
}

/// 128 + the signal for a process that a signal killed.
pub fn exit_code(status: WaitStatus) -> u8 {
    let signalled = || status.terminating_signal().map_or(UNKNOWN, |signal| 128 + signal);
    let code = status.exit_status().unwrap_or_else(signalled);
    u8::try_from(code).unwrap_or(u8::MAX)
}
