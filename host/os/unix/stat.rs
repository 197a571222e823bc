//! What a file system says of a file.

use std::fs::{FileType, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

pub use cap_std::fs::MetadataExt as DirStat;
pub use std::os::unix::fs::MetadataExt as Stat;

/// Whether the kernel stamps every change of a file with a time (`ctime`) that no program can set.
pub const STAMPS_CHANGES: bool = true;

/// The types (statfs(2)) of file systems that set the time of change at every write, also at one through shared memory: ext2 to ext4,
/// XFS, Btrfs, F2FS, bcachefs.
const STAMPING: [u32; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0xCA45_1A4E];

/// False also for a file system that cannot be asked.
pub fn stamps_every_write(path: &Path) -> bool {
    let kind = rustix::fs::statfs(path).ok().and_then(|found| u32::try_from(found.f_type).ok());
    kind.is_some_and(|kind| STAMPING.contains(&kind))
}

/// A FIFO, a socket or a device.
pub fn is_special(kind: FileType) -> bool {
    kind.is_fifo() || kind.is_socket() || kind.is_char_device() || kind.is_block_device()
}

/// Of a device, its number.
pub fn device_of(data: &Metadata) -> u64 {
    data.rdev()
}
