//! Linux and macOS.

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

/// Why agents cannot be started here; None: they can.
pub const UNAVAILABLE: Option<&str> = None;
