//! The same on systems without a sandbox.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Exit, KilledCommand, SandboxedCommand};
use guardhost_core::error::{Error, Result};

/// The hidden subcommands, which are refused.
pub const CONFINE: &str = "__confine";
pub const SUPERVISE: &str = "__supervise";
pub const DESCRIPTOR: &str = "GUARDHOST_REPORT";

const NEEDS: &str = "sandboxes need Linux";

/// There is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox(pub Infallible);

impl Sandbox {
    /// Always an error, which says what to do.
    pub fn find(_: Option<&str>, _: Option<PathBuf>, _: &Path) -> Result<Sandbox, String> {
        let hint = "run the host in Linux, such as the Windows Subsystem for Linux, or leave these guards to CI";
        Err(format!("no sandbox: builds and tests run the code of a change, and {NEEDS}; {hint}"))
    }

    pub fn name(&self) -> &'static str {
        match self.0 {}
    }

    pub fn weakness(&self) -> Option<&'static str> {
        match self.0 {}
    }

    pub fn run(&self, _: &Path, _: &SandboxedCommand) -> Result<Result<Exit, KilledCommand>> {
        match self.0 {}
    }
}

pub fn confine(_: &str, _: &[OsString]) -> Result<u8> {
    Err(Error::msg(NEEDS))
}

/// What keeps the output of test binaries apart, inside of a sandbox.
pub fn run_suite(_: i32, _: &str, _: &[OsString]) -> Result<u8> {
    Err(Error::msg(NEEDS))
}

pub fn supervise(_: &str, _: &[OsString]) -> Result<u8> {
    Err(Error::msg(NEEDS))
}
