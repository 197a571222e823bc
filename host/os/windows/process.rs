//! Limits of processes. There are no signals and no process groups.

use std::ffi::OsStr;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::ptr;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOB_OBJECT_LIMIT_PROCESS_TIME,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// A job counts time in steps of 100 ns.
const STEPS: u64 = 10_000_000;

/// Whether programs start command lines by a shell of POSIX, whichever program it is. Git brings one for its own hooks.
pub const HAS_POSIX_SHELL: bool = false;

/// Does nothing: there are none.
pub fn own_group(_: &mut Command) {}

/// Kills the child alone. What it started goes on.
pub fn kill_group(child: &mut Child) {
    // An error means that it has ended.
    let _ = child.kill();
}

/// Never one.
pub fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// Bytes of stack of the first thread, as the linker sets it.
pub fn first_stack() -> Option<u64> {
    Some(1 << 20)
}

/// Not known: a process may be in jobs of others.
pub fn address_space() -> Option<u64> {
    None
}

/// Does nothing: workers and servers do not run here.
pub fn limit_memory_of(_: &mut Command, _: u64) {}

/// Limits what this process may use from here on, by a job of its own. Windows ends it when it uses more time, and refuses it memory.
pub fn limit_process(memory: u64, cpu_seconds: u64) -> io::Result<()> {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY | JOB_OBJECT_LIMIT_PROCESS_TIME;
    limits.BasicLimitInformation.PerProcessUserTimeLimit = (cpu_seconds * STEPS).cast_signed();
    limits.ProcessMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
    let size = u32::try_from(size_of_val(&limits)).map_err(io::Error::other)?;
    // SAFETY: no attributes and no name.
    let job = JobObject(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) });
    if job.0.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the structure is the one that the class asks for, with its size; both handles are open.
    let is_set = unsafe {
        SetInformationJobObject(job.0, JobObjectExtendedLimitInformation, ptr::from_ref(&limits).cast(), size) != 0
            && AssignProcessToJobObject(job.0, GetCurrentProcess()) != 0
    };
    if is_set { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A job lasts as long as a process is in it, also without a handle.
struct JobObject(HANDLE);

impl Drop for JobObject {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: a handle of this value alone.
            unsafe { CloseHandle(self.0) };
        }
    }
}

/// Does nothing: a pipe does not tell here that its reader is gone. The process ends by its limits.
pub fn end_with_reader(_: i32) -> io::Result<()> {
    Ok(())
}

/// Runs `command`, and returns its exit code: no process can take the place of another, and none can be given another name.
pub fn become_program(command: &mut Command, _: &OsStr) -> io::Result<u8> {
    let status = command.status()?;
    // What fits into no byte is a failure all the same.
    Ok(status.code().map_or(u8::MAX, |code| u8::try_from(code).unwrap_or(u8::MAX)))
}
