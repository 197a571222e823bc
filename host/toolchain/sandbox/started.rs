//! Whether the command of a sandbox was started. A sandbox that could not be set up, and a program that cannot be executed in it, say
//! nothing about the code that was to be run; the exit code alone does not tell them from a command that failed.
//!
//! Each process between the host and the command has one end of a socket as its standard input. The last of them says that it started
//! the command. Whatever fails writes why. The command itself never has it.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use guardhost_core::error::Result;

/// The line of the process that started the command.
const STARTED: &str = "started\n";

/// Bytes of what may have gone wrong.
const MOST: u64 = 64 << 10;

/// The host's end.
pub struct StartWatch(UnixStream);

impl StartWatch {
    /// The host's end, and the standard input of the supervisor.
    pub fn open() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok((StartWatch(ours), theirs.into()))
    }

    /// Tells the supervisor to end everything.
    pub fn close(&self) {
        // An error means that it has ended.
        let _ = self.0.shutdown(Shutdown::Write);
    }

    /// Errors: why the command was not started; empty when nobody said anything. For when the supervisor has ended.
    pub fn result(&self) -> io::Result<Result<(), String>> {
        let mut said = String::new();
        (&self.0).take(MOST).read_to_string(&mut said)?;
        Ok(started(&said))
    }
}

fn started(said: &str) -> Result<(), String> {
    match said.strip_prefix(STARTED) {
        Some("") => Ok(()),
        Some(why) => Err(why.trim().to_owned()),
        None => Err(said.trim().to_owned()),
    }
}

/// The end of a process between the host and the command.
pub struct StartSignal(OwnedFd);

impl StartSignal {
    /// Takes the pipe from the standard input of this process. If that is no such pipe, signals are written to it
    /// without effect.
    pub fn from_stdin() -> io::Result<Self> {
        Ok(StartSignal(io::stdin().as_fd().try_clone_to_owned()?))
    }

    /// As the standard input of the next process.
    pub fn pass_on(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.0.try_clone()?))
    }

    pub fn started(&self) {
        self.say(STARTED);
    }

    /// What `work` fails with is said to the host too.
    pub fn failing_with<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        work().inspect_err(|error| self.say(&format!("{error:#}\n")))
    }

    fn say(&self, what: &str) {
        // The host may have gone, or nobody may listen: the exit code says the rest.
        let _ = self.0.try_clone().map(|end| UnixStream::from(end).write_all(what.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::error::Error;

    #[test]
    fn only_the_line_alone_is_a_start() {
        assert_eq!(started("started\n"), Ok(()));
        for (said, why) in [("", ""), ("no rights\n", "no rights"), ("started\nno such file\n", "no such file")] {
            assert_eq!(started(said), Err(why.to_owned()));
        }
    }

    #[test]
    fn each_process_speaks_over_the_same_socket() {
        let (watch, theirs) = StartWatch::open().expect("a socket");
        let signal = StartSignal(theirs);
        signal.started();
        let failed = signal.failing_with(|| Err::<(), _>(Error::msg("the program is gone")));
        assert!(failed.is_err());
        drop(signal);
        assert_eq!(watch.result().expect("readable"), Err("the program is gone".to_owned()));
    }
}
