//! Windows: `job` is what the system has for it, `tree` is what the host holds of an agent.

mod job;
mod tree;

use std::ffi::OsString;

use anyhow::{Error, Result};

pub use tree::{ProcessTree, Starting};

/// The hidden subcommand, which is refused.
pub const ATTEND: &str = "__attend";

/// What the system does for a process that ends others.
pub mod kernel {
    /// Whether everything that an agent starts ends with it.
    pub const ENDS_EVERY_PROCESS: bool = true;
}

/// Does nothing: no process is given to another one.
pub fn adopt_orphans() -> Result<()> {
    Ok(())
}

/// Always an error: nothing starts it.
pub fn attend(_: &str, _: &[OsString]) -> Result<u8> {
    Err(Error::msg("an agent has no attendant on this system"))
}

/// No child can be stopped by what it starts: a debugger's suspension is a matter of the user's.
pub fn is_stopped(_: u32) -> bool {
    false
}
