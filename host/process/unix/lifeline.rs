//! The connection between the host and the process that attends an agent. Its end is the host's end.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::{FdFlags, fcntl_setfd};

/// Asks the attendant to send SIGTERM to the agent's process group.
pub(super) const TERMINATE: u8 = b't';

/// The host's end. When it is dropped, or the host ends in any way, the attendant kills the agent and everything that it started.
pub(super) struct Lifeline(UnixStream);

impl Lifeline {
    /// The host's end, and the attendant's, which every process inherits that is started before it is dropped.
    pub(super) fn open() -> io::Result<(Lifeline, OwnedFd)> {
        let (ours, theirs) = UnixStream::pair()?;
        let theirs = OwnedFd::from(theirs);
        fcntl_setfd(&theirs, FdFlags::empty())?;
        Ok((Lifeline(ours), theirs))
    }

    /// How the attendant is told which descriptor is its end.
    pub(super) fn name(theirs: &OwnedFd) -> String {
        theirs.as_raw_fd().to_string()
    }

    /// Sends SIGTERM to the agent's process group.
    pub(super) fn terminate(&self) {
        // An error means that the attendant has ended, and all processes with it.
        let _ = (&self.0).write_all(&[TERMINATE]);
    }

    /// Why the agent could not be started. Of an attendant that has ended.
    pub(super) fn start_failure(&self) -> Option<String> {
        self.0.set_nonblocking(true).ok()?;
        let mut message = Vec::new();
        // Another child may still hold the attendant's end: there is no end to wait for.
        let _ = (&self.0).read_to_end(&mut message);
        Some(String::from_utf8_lossy(&message).into_owned()).filter(|message| !message.is_empty())
    }
}
