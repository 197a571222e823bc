//! The process between the host and a sandbox. It kills everything started in the sandbox before it exits, and exits when the host does.
//! Nothing kills it before: its exit proves that no process is left.
//!
//! Its standard input is a socket: the host closes its end to stop it, and hears over it whether the command was started. Its standard
//! output is the sandbox's report, its standard error is the sandbox's output. It has no other descriptors.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::setsid;
use serde::{Deserialize, Serialize};

use super::keyring;
use super::per_process::PerProcess;
use super::records::{DESCRIPTOR, ReportFrom};
use super::started::StartSignal;
use crate::files::SandboxLock;
use guardhost_core::error::{Context, Result};
use guardhost_process::{exit_code, kernel, kill_children, wait_for};

/// The hidden subcommand: a [`Supervision`] as JSON, then the command.
pub const SUPERVISE: &str = "__supervise";

/// Exit code when the host stopped the command.
const STOPPED: i32 = 125;

#[derive(Debug, Serialize, Deserialize)]
pub struct Supervision {
    pub limits: PerProcess,
    /// Locked while there are processes.
    pub busy: PathBuf,
    pub report: ReportFrom,
}

/// Runs the command to its end, then kills every process that it left, daemons too. The exit code is the command's, or 128 + the signal
/// that killed it.
pub fn supervise(supervision: &str, command: &[OsString]) -> Result<u8> {
    let signal = StartSignal::from_stdin().context("cannot reach the host")?;
    signal.failing_with(|| supervised(supervision, command, &signal))
}

fn supervised(supervision: &str, command: &[OsString], signal: &StartSignal) -> Result<u8> {
    let Supervision { limits, busy, report } = serde_json::from_str(supervision).context("cannot parse the limits")?;
    let (program, args) = command.split_first().context("no command")?;
    // In the host's session the kernel would hang up this process, if it has just stopped what it kills when the host ends.
    setsid().context("cannot begin a session")?;
    keyring::leave_session().context("cannot leave the session's keys")?;
    let channel = io::stdout().as_fd().try_clone_to_owned().context("cannot pass on the report")?;
    rustix::stdio::dup2_stdout(io::stderr()).context("cannot redirect the output")?;
    let lock = SandboxLock::take(&busy).with_context(|| format!("cannot lock {}", busy.display()))?;
    let mut lock = lock.context("processes of an earlier run have not ended")?;
    lock.begin().with_context(|| format!("cannot write {}", busy.display()))?;
    limits.set().context("cannot set the limits")?;
    // Orphaned descendants become this process's children, not init's.
    kernel::reap_orphans().context("cannot become the reaper of orphans")?;
    let lock = &*Box::leak(Box::new(Mutex::new(lock)));
    thread::Builder::new().spawn(|| {
        // However the reading ends, the host no longer waits for a result.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        end_all(lock);
        std::process::exit(STOPPED);
    })?;
    let mut child = Command::new(program);
    // The first process of the command says over it that the command was started, and gives it to no other.
    child.args(args).stdin(signal.pass_on().context("cannot pass on the connection to the host")?);
    match report {
        ReportFrom::Descriptor => {
            fcntl_setfd(&channel, FdFlags::empty()).context("cannot pass on the report")?;
            child.env(DESCRIPTOR, channel.as_raw_fd().to_string());
        }
        ReportFrom::Stdout => drop(child.stdout(Stdio::from(channel.try_clone()?))),
    }
    let started = child.spawn();
    // They hold the sandbox's end of the report.
    drop((child, channel));
    let status =
        started.with_context(|| format!("cannot start {}", program.display())).and_then(|child| wait_for(child.id()));
    end_all(lock);
    Ok(exit_code(status?))
}

/// The thread that comes second waits: both would otherwise reap, and kill by numbers that the other has freed.
fn end_all(lock: &Mutex<SandboxLock>) {
    let mut lock = lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    kill_children();
    // If it cannot be written, the next host empties the folders for nothing.
    let _ = lock.all_ended();
}
