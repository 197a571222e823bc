//! Child processes that end with the host, and every process that they started. A command is prepared ([`Starting`]), started by the caller as
//! he needs it, and held as a [`ProcessTree`] from then on.
//!
//! - `unix`: an attendant between host and agent finds daemons too, and those in sessions of their own. The supervisor of sandboxes, in
//!   `host/toolchain`, is built from the same parts.
//! - `windows`: a job of the system holds what a child starts.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
