//! A process namespace of the sandbox's own (pid_namespaces(7)): when its first process ends, the kernel kills all others, and the first
//! is not reaped before they are gone. An unprivileged user may make one inside of a user namespace, where the system allows that.

use std::fs;
use std::io;

use caps::{CapSet, Capability};
use rustix::process::{getegid, geteuid};

/// The next process that this one starts is the first of new namespaces for processes, mounts and System V objects. Files keep their
/// owners, and this process its user.
///
/// This process must have only one thread.
pub fn enter() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: the call changes namespaces only; it neither shares nor frees memory or descriptors.
    check(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC) })?;
    // Without it an unprivileged user may not map a group.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    // Executing a program takes the namespace's capabilities from every user but root. The first process needs this one, to mount.
    for set in [CapSet::Inheritable, CapSet::Ambient] {
        caps::raise(None, set, Capability::CAP_SYS_ADMIN).map_err(io::Error::other)?;
    }
    Ok(())
}

/// Shows the new namespace in `/proc`: for the first process in it. Fails in containers that hide parts of `/proc`.
pub fn mount_proc() -> io::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    // SAFETY: all strings are literals that end in NUL, and no data is passed.
    unsafe {
        check(libc::mount(
            c"none".as_ptr(),
            c"/".as_ptr(),
            std::ptr::null(),
            libc::MS_REC | libc::MS_PRIVATE,
            std::ptr::null(),
        ))?;
        check(libc::mount(c"proc".as_ptr(), c"/proc".as_ptr(), c"proc".as_ptr(), flags, std::ptr::null()))
    }
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
