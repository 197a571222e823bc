//! The process between the host and a sandbox. It kills everything started in the sandbox before it exits, and exits when the host does.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, set_child_subreaper, wait};

use super::limits::PerProcess;
use super::processes::descendants;
use guardhost_core::error::{Context, Result};

/// The hidden subcommand: limits as JSON, then the command. Nothing is ever written to its standard input; when that is closed, the host
/// has exited or wants the command stopped.
pub const SUPERVISE: &str = "__supervise";

/// Exit code when the host stopped the command.
const STOPPED: i32 = 125;

/// Runs the command to its end, then kills every process that it left, daemons too. The exit code is the command's, or 128 + the signal
/// that killed it.
pub fn supervise(limits: &str, command: &[OsString]) -> Result<u8> {
    let limits: PerProcess = serde_json::from_str(limits).context("cannot parse the limits")?;
    let (program, args) = command.split_first().context("no command")?;
    limits.set().context("cannot set the limits")?;
    // Orphaned descendants become this process's children, not init's.
    set_child_subreaper(Some(getpid())).context("cannot become the reaper of orphans")?;
    thread::Builder::new().spawn(|| {
        // However the reading ends, the host no longer waits for a result.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        kill_all();
        std::process::exit(STOPPED);
    })?;
    let child = Command::new(program).args(args).stdin(Stdio::null()).spawn();
    let child = child.with_context(|| format!("cannot start {}", program.display()))?;
    let child = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let status = loop {
        match wait(WaitOptions::empty()).context("cannot wait for the command")? {
            Some((pid, status)) if Some(pid) == child => break status,
            _ => {}
        }
    };
    kill_all();
    Ok(code(status))
}

/// Kills until no descendant is left. A killed process's children become this one's, so that the next iteration finds them.
fn kill_all() {
    loop {
        for process in descendants(getpid().as_raw_nonzero().get()) {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // It may have ended by itself.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        if let Err(rustix::io::Errno::CHILD) = wait(WaitOptions::empty()) {
            return;
        }
    }
}

fn code(status: WaitStatus) -> u8 {
    let signalled = || status.terminating_signal().map_or(STOPPED, |signal| 128 + signal);
    let code = status.exit_status().unwrap_or_else(signalled);
    u8::try_from(code).unwrap_or(u8::MAX)
}
