//! An agent and its attendant, as the host holds them.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Command;

use super::adoption::{Adoption, go_on};
use super::attend::ATTEND;
use super::lifeline::Lifeline;

/// A command whose process was not started yet. The process inherits the attendant's end of the lifeline.
pub struct Starting {
    lifeline: Lifeline,
    _theirs: OwnedFd,
    adoption: Adoption,
}

impl Starting {
    /// The command that starts `program` with `args` below an attendant, which is the program `exe`. The caller sets streams, environment
    /// and folder, starts it, and calls [`Starting::started`] whatever came of it. `scratch` is removed when the host is killed.
    ///
    /// # Errors
    /// The system gives no connection to an attendant.
    pub fn prepare<A: AsRef<OsStr>>(
        exe: &Path,
        scratch: &Path,
        program: &OsStr,
        args: impl IntoIterator<Item = A>,
    ) -> io::Result<(Command, Self)> {
        let (lifeline, theirs) = Lifeline::open()?;
        let mut command = Command::new(exe);
        command.arg(ATTEND).arg(Lifeline::name(&theirs)).arg(scratch).arg(program).args(args);
        Ok((command, Starting { lifeline, _theirs: theirs, adoption: Adoption::begin() }))
    }

    /// `child` is the number of the process that the command started.
    ///
    /// # Errors
    /// Never: the attendant does the rest.
    pub fn started(self, child: u32) -> io::Result<ProcessTree> {
        Ok(ProcessTree { child: Some(child), lifeline: Some(self.lifeline), adoption: self.adoption })
    }
}

/// A child and every process that it started. Dropping it kills them, and so does the end of the host, however it ends.
pub struct ProcessTree {
    /// None: it was waited for, and another process may have its number.
    child: Option<u32>,
    /// None: the attendant kills everything and ends.
    lifeline: Option<Lifeline>,
    adoption: Adoption,
}

impl ProcessTree {
    /// Asks the agent to end: SIGTERM to its process group.
    pub fn ask_to_end(&self) {
        if let Some(lifeline) = &self.lifeline {
            lifeline.terminate();
        }
    }

    /// Has everything killed.
    pub fn kill(&mut self) {
        drop(self.lifeline.take());
        self.child.into_iter().for_each(go_on);
    }

    /// Kills what is left of a child that has ended and was waited for. False: some of it does not end.
    pub fn clear(&mut self) -> bool {
        self.child = None;
        self.adoption.end()
    }

    /// Why the program could not be started, of a child that has ended. None: it was started, or everything was killed.
    pub fn start_failure(&self) -> Option<String> {
        self.lifeline.as_ref()?.start_failure()
    }
}
