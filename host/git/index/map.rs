//! A file of the git directory, mapped for reading.

use std::fs::File;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// Unmapped when it is dropped.
pub(in super::super) struct Map {
    start: NonNull<u8>,
    len: usize,
}

impl Map {
    /// None: no such file, no regular file, an empty one, or the system cannot map it.
    pub fn open(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let data = file.metadata().ok().filter(|data| data.is_file())?;
        let len = usize::try_from(data.size()).ok().filter(|len| *len > 0)?;
        // All pages at once: each of them is read, and a fault for each sixteenth costs more than the reading.
        #[cfg(target_os = "linux")]
        let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
        #[cfg(not(target_os = "linux"))]
        let flags = MapFlags::PRIVATE;
        // SAFETY: a new mapping at an address that the system chooses.
        let start = unsafe { mmap(ptr::null_mut(), len, ProtFlags::READ, flags, &file, 0) }.ok()?;
        Some(Map { start: NonNull::new(start.cast())?, len })
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping has this length and lives as long as `self`. Git and libgit2 never write into an index but replace it by
        // another file, and they map it themselves; so did the library that decoded it here.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: mapped by `open` with this length; no slice of it outlives `self`. A failure leaves it mapped.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.len) };
    }
}
