//! Mapped files, and pages that may be executed.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap, mprotect, munmap};

/// Bytes of a page.
pub fn page_size() -> usize {
    rustix::param::page_size()
}

/// Lets pages be executed, which can then be read and not be written.
///
/// # Safety
/// `start` is the begin of a page. The `len` bytes from there are mapped from a file and never written.
pub unsafe fn make_executable(start: *const u8, len: usize) -> io::Result<()> {
    // SAFETY: as the caller promises.
    let changed = unsafe { mprotect(start.cast_mut().cast(), len, MprotectFlags::READ | MprotectFlags::EXEC) };
    changed.map_err(io::Error::from)
}

/// A file, mapped for reading; unmapped when it is dropped.
pub struct Map {
    start: NonNull<u8>,
    len: usize,
}

impl Map {
    /// None: no such file, no regular file, an empty one, or the system cannot map it.
    ///
    /// # Safety
    /// No program writes into the file as long as the map lives. It may be replaced by another file.
    pub unsafe fn open(path: &Path) -> Option<Self> {
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
        // SAFETY: the mapping has this length and lives as long as `self`, and nobody writes into the file.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: mapped by `open` with this length; no slice of it outlives `self`. A failure leaves it mapped.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// musl's allocator has one lock and maps and unmaps memory again and again: judging 200 files made 1,944 mappings, and took twice the time
/// that glibc's takes (`tests/bench/cold.py --host`, 29 November 2026). C libraries in the program keep it.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Makes glibc ask the system for memory in large steps. By default, the heap of a thread grows page by page, with a system call for
/// each that stops the other threads' page faults.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn allocate_in_steps() {
    for (option, bytes) in
        [(libc::M_TOP_PAD, 2 << 20), (libc::M_TRIM_THRESHOLD, 64 << 20), (libc::M_MMAP_THRESHOLD, 4 << 20)]
    {
        // SAFETY: sets numbers of the allocator, before any other thread is started. It may refuse.
        unsafe { libc::mallopt(option, bytes) };
    }
}

/// Does nothing: only glibc needs it.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn allocate_in_steps() {}
