//! Systems without process groups and orphans that are adopted: what an agent started could not be ended with it, so none is started.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;

use guardhost_core::error::{Error, Result};

/// Why agents cannot be started here; None: they can.
pub const UNAVAILABLE: Option<&str> = Some(WHY);

const WHY: &str = "an agent on the command line cannot be started here: what it starts would outlive it, and only Unix can prevent that";

/// The hidden subcommand, which is refused.
pub const ATTEND: &str = "__attend";

/// What the kernel does for a process that ends others: nothing.
pub mod kernel {
    /// Whether everything that an agent starts ends with it. No agent is started.
    pub const ENDS_EVERY_PROCESS: bool = false;
}

/// Does nothing: there are no orphans.
pub fn adopt_orphans() -> Result<()> {
    Ok(())
}

pub fn attend(_: &str, _: &[OsString]) -> Result<u8> {
    Err(Error::msg(WHY))
}

/// The connection between the host and an attendant, which there cannot be.
pub struct Lifeline(Infallible);

impl Lifeline {
    /// Always an error.
    pub fn open() -> io::Result<(Lifeline, Infallible)> {
        Err(io::Error::new(io::ErrorKind::Unsupported, WHY))
    }

    pub fn name(theirs: &Infallible) -> String {
        match *theirs {}
    }

    pub fn terminate(&self) {
        match self.0 {}
    }

    pub fn start_failure(&self) -> Option<String> {
        match self.0 {}
    }
}

/// The time in which one attendant runs.
pub struct Adoption;

impl Adoption {
    pub fn begin() -> Self {
        Adoption
    }

    /// Nothing was started, so nothing is left.
    pub fn end(&self) -> bool {
        true
    }
}

/// No child can be stopped.
pub fn is_stopped(_: u32) -> bool {
    false
}

/// No child can be stopped.
pub fn go_on(_: Option<u32>) {}
