//! A job: the processes that belong together, which the system ends together. What a process of a job starts is in the job, unless the job
//! lets it go, and this one does not.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::{ERROR_NO_MORE_FILES, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicAccountingInformation,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    OpenProcess, OpenThread, PROCESS_SET_QUOTA, PROCESS_TERMINATE, ResumeThread, THREAD_SUSPEND_RESUME,
    TerminateProcess,
};

/// Exit code of processes that are ended from outside, as `TerminateProcess` of the standard library gives it.
const KILLED: u32 = 1;

/// What `ResumeThread` returns when it fails.
const NOT_RESUMED: u32 = u32::MAX;

/// When the last handle of it is closed, which the end of this process does too, all of its processes end. No child inherits the handle.
pub(super) struct Job(OwnedHandle);

impl Job {
    /// Without processes.
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: no attributes and no name.
        let job = Job(owned(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) })?);
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the structure is the one that the class asks for, with its size; the handle is open.
        done(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size_of_u32(&limits)?,
            )
        })?;
        Ok(job)
    }

    /// Takes in a process that was started suspended, and lets it go on. One that cannot be taken in is ended.
    pub(super) fn begin(&self, process: u32) -> io::Result<()> {
        // SAFETY: the number of a child whose handle the caller holds, so that no other process has it.
        let child = owned(unsafe { OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, 0, process) })?;
        // SAFETY: both handles are open.
        let begun = done(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) })
            .and_then(|()| resume(process));
        if begun.is_err() {
            // SAFETY: the handle is open.
            unsafe { TerminateProcess(child.as_raw_handle(), KILLED) };
        }
        begun
    }

    /// Ends all of its processes.
    pub(super) fn end(&self) {
        // An error means that there is none.
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }

    /// How many of its processes have not ended.
    pub(super) fn running(&self) -> io::Result<u32> {
        let mut counts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        let size = size_of_u32(&counts)?;
        // SAFETY: the structure is the one that the class asks for, with its size; the handle is open.
        done(unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                ptr::from_mut(&mut counts).cast(),
                size,
                ptr::null_mut(),
            )
        })?;
        Ok(counts.ActiveProcesses)
    }
}

/// Lets the threads of a process go on, of which a new one has one. The standard library keeps the handle of that thread to itself, so it is
/// found in the list of all.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: a list of threads, whatever the process.
    let list = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if list == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    let list = owned(list)?;
    let mut entry = THREADENTRY32::default();
    entry.dwSize = size_of_u32(&entry)?;
    let mut resumed = false;
    // SAFETY: the structure has its size in it; the handle is open.
    let mut more = unsafe { Thread32First(list.as_raw_handle(), &mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: a thread of a process that does not run, and so does not end.
            let thread = owned(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) })?;
            // SAFETY: the handle is open.
            if unsafe { ResumeThread(thread.as_raw_handle()) } == NOT_RESUMED {
                return Err(io::Error::last_os_error());
            }
            resumed = true;
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(list.as_raw_handle(), &mut entry) };
    }
    match io::Error::last_os_error() {
        end if end.raw_os_error() != Some(ERROR_NO_MORE_FILES.cast_signed()) => Err(end),
        _ if resumed => Ok(()),
        _ => Err(io::Error::other("the new process has no thread")),
    }
}

/// A handle that a call of the system made; null is its failure.
fn owned(handle: windows_sys::Win32::Foundation::HANDLE) -> io::Result<OwnedHandle> {
    match handle.is_null() {
        true => Err(io::Error::last_os_error()),
        // SAFETY: nothing else closes it.
        false => Ok(unsafe { OwnedHandle::from_raw_handle(handle) }),
    }
}

fn done(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn size_of_u32<T>(value: &T) -> io::Result<u32> {
    u32::try_from(size_of_val(value)).map_err(io::Error::other)
}
