//! Folders that untrusted programs wrote: locked, removed and measured, by descriptors, without following links.

mod lock;
mod remove;
mod usage;

pub use lock::{SandboxLock, try_lock};
pub use remove::{Trash, make_accessible, open_folder};
pub use usage::{DiskUsage, usage};
