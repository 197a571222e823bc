//! What a file system says of a file, in the terms of Unix as git for Windows has them in its index: no device, no inode, the time of
//! making for the time of change.

use std::fs::{FileType, Metadata};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether the kernel stamps every change of a file with a time (`ctime`) that no program can set.
pub const STAMPS_CHANGES: bool = false;

const FOLDER: u32 = 0o040_755;
const LINK: u32 = 0o120_777;
const FILE: u32 = 0o100_644;

/// Seconds and nanoseconds since 1970; zero where the file system does not say.
fn time(found: io::Result<SystemTime>) -> (i64, i64) {
    let Ok(found) = found else { return (0, 0) };
    let (since, sign) = match found.duration_since(UNIX_EPOCH) {
        Ok(since) => (since, 1),
        Err(before) => (before.duration(), -1),
    };
    (sign * since.as_secs().cast_signed(), i64::from(since.subsec_nanos()))
}

macro_rules! facts {
    ($(#[$doc:meta])* $name:ident, $metadata:ty, $modified:expr, $created:expr) => {
        $(#[$doc])*
        pub trait $name {
            /// Always 0: it is not told without opening the file.
            fn dev(&self) -> u64;
            /// Always 0: it is not told without opening the file.
            fn ino(&self) -> u64;
            /// The kind of file, with the bits that git gives to every file of this kind.
            fn mode(&self) -> u32;
            /// Always 0.
            fn uid(&self) -> u32;
            /// Always 0.
            fn gid(&self) -> u32;
            /// In bytes.
            fn size(&self) -> u64;
            /// Seconds since 1970.
            fn mtime(&self) -> i64;
            /// Nanoseconds of the second.
            fn mtime_nsec(&self) -> i64;
            /// Of the making of the file.
            fn ctime(&self) -> i64;
            /// Nanoseconds of the second.
            fn ctime_nsec(&self) -> i64;
        }

        impl $name for $metadata {
            fn dev(&self) -> u64 {
                0
            }
            fn ino(&self) -> u64 {
                0
            }
            fn mode(&self) -> u32 {
                match (self.is_symlink(), self.is_dir()) {
                    (true, _) => LINK,
                    (false, true) => FOLDER,
                    (false, false) => FILE,
                }
            }
            fn uid(&self) -> u32 {
                0
            }
            fn gid(&self) -> u32 {
                0
            }
            fn size(&self) -> u64 {
                self.len()
            }
            fn mtime(&self) -> i64 {
                time($modified(self)).0
            }
            fn mtime_nsec(&self) -> i64 {
                time($modified(self)).1
            }
            fn ctime(&self) -> i64 {
                time($created(self)).0
            }
            fn ctime_nsec(&self) -> i64 {
                time($created(self)).1
            }
        }
    };
}

facts!(
    /// Of a file that was found by its path.
    Stat,
    Metadata,
    Metadata::modified,
    Metadata::created
);
facts!(
    /// Of a file that was found in an open folder.
    DirStat,
    cap_std::fs::Metadata,
    |data: &cap_std::fs::Metadata| data.modified().map(cap_std::time::SystemTime::into_std),
    |data: &cap_std::fs::Metadata| data.created().map(cap_std::time::SystemTime::into_std)
);

/// Never.
pub fn stamps_every_write(_: &Path) -> bool {
    false
}

/// Never: pipes and devices have no place in folders.
pub fn is_special(_: FileType) -> bool {
    false
}

/// Always 0.
pub fn device_of(_: &Metadata) -> u64 {
    0
}
