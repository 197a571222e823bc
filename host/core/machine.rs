//! What this machine lacks: memory, disk, threads, descriptors. That is nobody's fault who was asked for something.

use std::io;

pub use guardhost_os::is_lack;

/// The code of every failure of this machine.
pub const MACHINE: &str = "machine";

/// What to do about it.
pub const HINT: &str = "look at `ulimit -a`, at the container's limits and at free disk space";

/// Whether the system refused memory, disk, threads or descriptors.
pub fn is_machine_lack(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_lack)
}
