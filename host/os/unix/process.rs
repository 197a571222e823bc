//! Process groups, limits, signals.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::thread;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, setrlimit};

/// Whether programs start command lines by a shell of POSIX, whichever program it is.
pub const HAS_POSIX_SHELL: bool = true;

/// The process will lead a group of its own.
pub fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills a child that leads a group, with everything in it. The caller waits for it.
pub fn kill_group(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // An error means that the group has ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The signal that ended a process.
pub fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Bytes of stack of the first thread; None: any number.
pub fn first_stack() -> Option<u64> {
    getrlimit(Resource::Stack).current
}

/// The limit of this process's address space, in bytes; None: it has none.
pub fn address_space() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// Limits what this process may use from here on, without a core file. The kernel kills it when it uses more time.
pub fn limit_process(address_space: u64, cpu_seconds: u64) -> io::Result<()> {
    limit(Resource::As, address_space)?;
    limit(Resource::Cpu, cpu_seconds)?;
    limit(Resource::Core, 0)
}

/// What `command` starts, and whatever that starts, gets at most so much memory of its own each. Files that it maps to read do not count.
pub fn limit_memory_of(command: &mut Command, bytes: u64) {
    // SAFETY: between fork and exec it makes two system calls, and allocates nothing.
    unsafe { command.pre_exec(move || limit(Resource::Data, bytes)) };
}

fn limit(resource: Resource, limit: u64) -> io::Result<()> {
    let held = getrlimit(resource);
    let limit = held.maximum.map_or(limit, |maximum| maximum.min(limit));
    Ok(setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}

/// Ends this process with this exit code when its standard output has no reader any more: the host has ended, also by `kill -9`.
pub fn end_with_reader(exit_code: i32) -> io::Result<()> {
    thread::Builder::new().spawn(move || {
        let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
        loop {
            // SAFETY: one descriptor, which lives on this thread's stack.
            let ready = unsafe { libc::poll(&mut output, 1, -1) };
            if ready > 0 && output.revents & (libc::POLLERR | libc::POLLHUP) != 0 {
                std::process::exit(exit_code);
            }
            // Interrupted; or no pipe, which nobody waits behind.
            if ready > 0 {
                return;
            }
        }
    })?;
    Ok(())
}

/// Goes on as `command`, which takes the place of this process: signals and the exit code need no passing on. Returns only when it cannot
/// be started.
pub fn become_program(command: &mut Command, name: &OsStr) -> io::Result<u8> {
    Err(command.arg0(name).exec())
}
