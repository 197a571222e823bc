//! Linux and macOS.
//!
//! - `tree` is what the host holds of an agent.
//! - `descendants` finds processes by their parents and kills them; `wait` reaps them.
//! - `adoption` does the same in the host, for agents that kill or stop their attendant.
//! - `kernel` is what other systems than Linux lack.
//! - `attend` is the process between the host and an agent; `lifeline` connects the two.

mod adoption;
mod attend;
mod descendants;
pub mod kernel;
mod lifeline;
mod tree;
mod wait;

pub use adoption::{adopt_orphans, is_stopped};
pub use attend::{ATTEND, attend};
pub use descendants::{Process, descendants, kill_children};
pub use tree::{ProcessTree, Starting};
pub use wait::{exit_code, wait_for};
