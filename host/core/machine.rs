//! What this machine lacks: memory, disk, threads, descriptors. That is nobody's fault who was asked for something.

use std::io;

use rustix::io::Errno;

/// The code of every failure of this machine.
pub const MACHINE: &str = "machine";

/// What to do about it.
pub const HINT: &str = "look at `ulimit -a`, at the container's limits and at free disk space";

/// Whether the system refused memory, disk, threads or descriptors.
pub fn is_machine_lack(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_lack)
}

/// The same for one error of the system.
pub fn is_lack(error: &io::Error) -> bool {
    let of_system = error.raw_os_error().map(Errno::from_raw_os_error);
    [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::DQUOT, Errno::FBIG]
        .into_iter()
        .any(|lack| of_system == Some(lack))
}
