//! The process between the host and an agent. It kills everything that the agent started before it exits, and exits when the host does,
//! even when the host is killed. The host never kills it before. The agent might: then the host finds what is left (`adoption`).
//!
//! It is in a session of its own. In the host's, the kernel would hang up an attendant that is stopped when the host ends.
//!
//! Its standard streams are the agent's. It ends as the agent does: with its exit code, or by the signal that killed it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Error, Result};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, kill_process, kill_process_group, setrlimit, setsid};

use super::descendants::kill_children;
use super::kernel;
use super::lifeline::TERMINATE;
use super::wait::{exit_code, wait_for};

/// The hidden subcommand: the number of the lifeline's descriptor, the agent's scratch folder, then the agent's command line.
pub const ATTEND: &str = "__attend";

/// Exit code when the host stopped the agent, and when the agent could not be started; the lifeline says which.
const STOPPED: u8 = 125;

/// Held by the thread that kills: two would kill by numbers that the other has freed.
static ENDING: Mutex<()> = Mutex::new(());

/// Runs the agent to its end, then kills every process that it left. When the host ends first, the scratch folder is removed too.
pub fn attend(lifeline: &str, words: &[OsString]) -> Result<u8> {
    let [scratch, program, args @ ..] = words else { return Err(Error::msg("no command")) };
    let lifeline: RawFd = lifeline.parse().context("the lifeline is no number")?;
    // SAFETY: the host passed this descriptor for this process alone, and nothing else here knows its number.
    let mut lifeline = unsafe { UnixStream::from_raw_fd(lifeline) };
    fcntl_setfd(&lifeline, FdFlags::CLOEXEC).context("there is no lifeline")?;
    setsid().context("cannot begin a session")?;
    // However often the agent stops this process, it goes on when the host has ended.
    kernel::end_with_parent(Signal::CONT).context("cannot ask for the host's end")?;
    // The agent, a process of the same user, cannot change this one as a debugger does.
    kernel::forbid_debuggers().context("cannot forbid debuggers")?;
    kernel::reap_orphans().context("cannot become the reaper of orphans")?;
    let started = Command::new(program).args(args).process_group(0).spawn();
    let child = match started {
        Ok(child) => child.id(),
        Err(error) => {
            lifeline.write_all(error.to_string().as_bytes()).context("the host has ended")?;
            return Ok(STOPPED);
        }
    };
    release_streams().context("cannot leave the standard streams to the agent")?;
    let scratch = PathBuf::from(scratch);
    thread::Builder::new().spawn(move || {
        follow(&mut lifeline, child);
        let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
        kernel::kill_group(child);
        kill_children();
        // The host may be gone. If it is not, it removes the folder itself, and one of the two finds nothing.
        let _ = std::fs::remove_dir_all(scratch);
        std::process::exit(i32::from(STOPPED));
    })?;
    let status = wait_for(child);
    let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    kernel::kill_group(child);
    kill_children();
    let status = status?;
    if let Some(signal) = status.terminating_signal().and_then(Signal::from_named_raw) {
        // The agent's core is not this process's.
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
            .context("cannot forbid a core file")?;
        kill_process(getpid(), signal).context("cannot end as the agent did")?;
    }
    Ok(exit_code(status))
}

/// Returns when the host has closed its end.
fn follow(lifeline: &mut UnixStream, child: u32) {
    let group = i32::try_from(child).ok().and_then(Pid::from_raw);
    let mut word = [0];
    while let Ok(1) = lifeline.read(&mut word) {
        if let (TERMINATE, Some(group)) = (word[0], group) {
            // An error means that the group has ended.
            let _ = kill_process_group(group, Signal::TERM);
        }
    }
}

/// The pipes to the host end when the agent closes them.
fn release_streams() -> std::io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(rustix::stdio::dup2_stderr(&nothing)?)
}
