//! Child processes that end with the host, and every process that they started: daemons, and those in sessions of their own.
//!
//! - `descendants` finds processes by their parents and kills them; `wait` reaps them.
//! - `adoption` does the same in the host, for agents that kill or stop their attendant.
//! - `kernel` is what other systems than Linux lack.
//! - `attend` is the process between the host and an agent; `lifeline` connects the two.
//!
//! The supervisor of sandboxes, in `host/toolchain`, is built from the same parts.

mod adoption;
mod attend;
mod descendants;
pub mod kernel;
mod lifeline;
mod wait;

pub use adoption::{Adoption, adopt_orphans, go_on, is_stopped};
pub use attend::{ATTEND, attend};
pub use descendants::{Process, descendants, kill_children};
pub use lifeline::Lifeline;
pub use wait::{exit_code, wait_for};
