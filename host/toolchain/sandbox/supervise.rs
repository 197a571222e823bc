//! The process between the host and a sandbox: whatever is started in there ends with it, and it ends with the host.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, set_child_subreaper, wait};

use super::limits::PerProcess;
use super::processes::descendants;
use guardhost_core::error::{Context, Result};

/// The hidden subcommand: limits as JSON, then the command. Its standard input is the lifeline: nothing comes, and its end is the host's.
pub const SUPERVISE: &str = "__supervise";

/// What the process ends with when the host ended it.
const ENDED: i32 = 125;

/// Runs the command to its end, then ends all that it left behind, daemons too. The exit code is the command's, 128 + its signal when one
/// ended it.
pub fn supervise(limits: &str, command: &[OsString]) -> Result<u8> {
    let limits: PerProcess = serde_json::from_str(limits).context("limits that are none")?;
    let (program, args) = command.split_first().context("no command")?;
    limits.set().context("cannot set the limits")?;
    // Orphans below come to this process and not to init.
    set_child_subreaper(Some(getpid())).context("cannot become the reaper of orphans")?;
    thread::Builder::new().spawn(|| {
        // Whatever ends the reading, nobody is there any more who waits for a result.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        end_all();
        std::process::exit(ENDED);
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
    end_all();
    Ok(code(status))
}

/// Kills until nobody is left. A killed process's children become this one's, so that the next turn finds them.
fn end_all() {
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
    let signalled = || status.terminating_signal().map_or(ENDED, |signal| 128 + signal);
    let code = status.exit_status().unwrap_or_else(signalled);
    u8::try_from(code).unwrap_or(u8::MAX)
}
