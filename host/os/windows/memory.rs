//! Files in memory, and pages that may be executed.

use std::io;
use std::ops::Deref;
use std::path::Path;

use windows_sys::Win32::System::Memory::{PAGE_EXECUTE_READ, VirtualProtect};
use windows_sys::Win32::System::SystemInformation::{GetSystemInfo, SYSTEM_INFO};

/// Bytes of a page.
pub fn page_size() -> usize {
    let mut info = SYSTEM_INFO::default();
    // SAFETY: fills the structure.
    unsafe { GetSystemInfo(&mut info) };
    info.dwPageSize as usize
}

/// Lets pages be executed, which can then be read and not be written.
///
/// # Safety
/// `start` is the begin of a page. The `len` bytes from there are mapped from a file and never written.
pub unsafe fn make_executable(start: *const u8, len: usize) -> io::Result<()> {
    let mut before = 0;
    // SAFETY: as the caller promises; `before` outlives the call.
    match unsafe { VirtualProtect(start.cast(), len, PAGE_EXECUTE_READ, &mut before) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A file, read whole: a file that is mapped cannot be replaced here.
pub struct Map(Vec<u8>);

impl Map {
    /// None: no such file, no regular file, an empty one, or it cannot be read.
    ///
    /// # Safety
    /// None is needed here. See the implementation for Unix.
    pub unsafe fn open(path: &Path) -> Option<Self> {
        path.is_file().then(|| std::fs::read(path).ok())?.filter(|bytes| !bytes.is_empty()).map(Map)
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Does nothing: only glibc needs it.
pub fn allocate_in_steps() {}
