//! Child processes that end with the host, and every process that they started: daemons, and those in sessions of their own. They need Unix;
//! `elsewhere` has the same names, and no agent is started.
//!
//! - `descendants` finds processes by their parents and kills them; `wait` reaps them.
//! - `adoption` does the same in the host, for agents that kill or stop their attendant.
//! - `kernel` is what other systems than Linux lack.
//! - `attend` is the process between the host and an agent; `lifeline` connects the two.
//!
//! The supervisor of sandboxes, in `host/toolchain`, is built from the same parts.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::*;
#[cfg(unix)]
pub use unix::*;
