//! What a process gets from whoever started it, and does not want: descriptors, ignored and blocked signals, a mask that takes the
//! owner's own rights.

use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, RawFd};

use rustix::fs::Mode;
use rustix::process::{Resource, getrlimit, umask};

/// The first descriptor behind the standard streams.
const FIRST: RawFd = 3;

/// Descriptors to try where neither the kernel nor a list of them helps: more than a shell allows by default.
const MOST: u64 = 65_536;

/// The number behind the last signal.
const SIGNALS: libc::c_int = 65;

/// Takes back what the parent set and this program cannot work with. It waits for its children, whose ends the kernel does not report
/// where SIGCHLD is ignored; a signal that is blocked would not stop it; and tools cannot use files that their owner may not read.
pub fn settle_inherited() -> io::Result<()> {
    // SAFETY: the default of a signal runs no code, and the set is made by `sigemptyset` before it is read.
    unsafe {
        if libc::signal(libc::SIGCHLD, libc::SIG_DFL) == libc::SIG_ERR {
            return Err(io::Error::last_os_error());
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        if libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    let asked = umask(Mode::empty());
    umask(asked - Mode::RWXU);
    Ok(())
}

/// Makes this process the same whoever started it: no descriptors but the standard streams, every signal's default, the usual mask. What
/// runs in it then does not differ between two hosts whose results are compared.
pub fn forget_parent() {
    close_inherited(None);
    for signal in (1..SIGNALS).filter(|signal| *signal != libc::SIGPIPE) {
        // SAFETY: the default of a signal runs no code. Some cannot be changed, which is no harm.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    umask(Mode::WGRP | Mode::WOTH);
}

/// Closes every descriptor that this process inherited, but the standard streams and `keep`. For a process that has opened none itself:
/// what it opened would be closed too.
pub fn close_inherited(keep: Option<i32>) {
    match keep.filter(|keep| *keep >= FIRST) {
        None => close_between(FIRST, RawFd::MAX),
        Some(keep) => {
            close_between(FIRST, keep - 1);
            close_between(keep.saturating_add(1), RawFd::MAX);
        }
    }
}

fn close_between(first: RawFd, last: RawFd) {
    if first > last || close_range(first, last) {
        return;
    }
    for descriptor in open_descriptors().into_iter().filter(|open| (first..=last).contains(open)) {
        // SAFETY: nothing in this process owns it, as the caller says; one that is not open is no harm.
        unsafe { libc::close(descriptor) };
    }
}

/// Whether the kernel did it (Linux 5.9).
#[cfg(target_os = "linux")]
fn close_range(first: RawFd, last: RawFd) -> bool {
    // SAFETY: nothing in this process owns these descriptors, as the caller of `close_inherited` says.
    unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn close_range(_: RawFd, _: RawFd) -> bool {
    false
}

fn open_descriptors() -> Vec<RawFd> {
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    match fs::read_dir("/dev/fd") {
        Ok(entries) => entries.flatten().filter_map(number).collect(),
        Err(_) => {
            let most = getrlimit(Resource::Nofile).current.map_or(MOST, |limit| limit.min(MOST));
            (0..RawFd::try_from(most).unwrap_or(RawFd::MAX)).collect()
        }
    }
}

/// Writes all bytes, and waits for a reader also where the output does not wait by itself: another program that has the same pipe or
/// terminal may have made it so.
pub fn write_all(mut output: impl Write + AsFd, mut bytes: &[u8]) -> io::Result<()> {
    loop {
        let written = match bytes {
            [] => output.flush().map(|()| None),
            bytes => output.write(bytes).map(Some),
        };
        match written {
            Ok(None) => return Ok(()),
            Ok(Some(0)) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(Some(written)) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait_until_writable(&output)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn wait_until_writable(output: &impl AsFd) -> io::Result<()> {
    let mut waiting = libc::pollfd { fd: output.as_fd().as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one descriptor, which lives on this thread's stack.
    match unsafe { libc::poll(&mut waiting, 1, -1) } {
        -1 if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_listed() {
        let file = fs::File::open("/dev/null").expect("the null device");
        assert!(open_descriptors().contains(&file.as_raw_fd()));
    }
}
