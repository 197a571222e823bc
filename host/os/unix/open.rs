//! Files opened without following links or waiting for another program; what reaches the disk.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

/// What to do at a symbolic link at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Follow,
    Refuse,
}

/// Opens a file for reading. A link is an error; a pipe is not waited for.
pub fn open_file(dir: &Dir, name: &OsStr) -> io::Result<cap_std::fs::File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(cap_std::fs::File::from_std(openat(dir, name, flags, Mode::empty())?.into()))
}

/// Opens a folder. A link is an error.
pub fn open_folder(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(Dir::from_std_file(openat(dir, name, flags, Mode::empty())?.into()))
}

/// Opens a path for reading, and does not wait for another end, as a FIFO would.
pub fn open_without_waiting(path: &Path, links: Links) -> io::Result<File> {
    let links = match links {
        Links::Follow => OFlags::empty(),
        Links::Refuse => OFlags::NOFOLLOW,
    };
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | links).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether [`open_without_waiting`] failed since there is a link, or a socket, which the kernel refuses to open.
pub fn is_no_file(error: &io::Error) -> bool {
    [Errno::NXIO, Errno::LOOP].map(|errno| Some(errno.raw_os_error())).contains(&error.raw_os_error())
}

/// A path that names this open file, even if its name has another by now; None where the system gives none.
pub fn path_of_open(file: &File) -> Option<PathBuf> {
    let folder = Path::new("/proc/self/fd");
    folder.exists().then(|| folder.join(file.as_raw_fd().to_string()))
}

/// Reads as many bytes, from this offset on.
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(bytes, offset)
}

/// Returns when a file, or the entries of a folder, are on disk.
pub fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Returns when the entries of an open folder are on disk. `dir` may be open for looking up names only.
pub fn sync_folder(dir: &Dir) -> io::Result<()> {
    let folder = openat(dir, ".", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(rustix::fs::fsync(folder)?)
}
