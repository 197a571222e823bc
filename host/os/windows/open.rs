//! Files opened without following links; what reaches the disk.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use windows_sys::Win32::Foundation::ERROR_STOPPED_ON_SYMLINK;
use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};

/// What to do at a symbolic link at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Follow,
    Refuse,
}

fn is_link() -> io::Error {
    io::Error::from_raw_os_error(ERROR_STOPPED_ON_SYMLINK.cast_signed())
}

/// Opens what is there: of a link, the link itself. Folders too.
pub(super) fn open_itself(dir: &Dir, name: &OsStr) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS);
    dir.open_with(name, &options)
}

/// Opens a file for reading. A link is an error.
pub fn open_file(dir: &Dir, name: &OsStr) -> io::Result<cap_std::fs::File> {
    let file = open_itself(dir, name)?;
    let data = file.metadata()?;
    match (data.is_symlink(), data.is_file()) {
        (true, _) => Err(is_link()),
        (false, true) => Ok(file),
        (false, false) => Err(ErrorKind::IsADirectory.into()),
    }
}

/// Opens a folder. A link, or a junction, is an error.
pub fn open_folder(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    let folder = open_itself(dir, name)?;
    let data = folder.metadata()?;
    match (data.is_symlink(), data.is_dir()) {
        (true, _) => Err(is_link()),
        (false, true) => Ok(Dir::from_std_file(folder.into_std())),
        (false, false) => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Opens a path for reading, a folder too.
pub fn open_without_waiting(path: &Path, links: Links) -> io::Result<File> {
    let links = match links {
        Links::Follow => 0,
        Links::Refuse => FILE_FLAG_OPEN_REPARSE_POINT,
    };
    let file = fs::OpenOptions::new().read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS | links).open(path)?;
    if file.metadata()?.is_symlink() { Err(is_link()) } else { Ok(file) }
}

/// Whether [`open_without_waiting`] failed since there is a link.
pub fn is_no_file(error: &io::Error) -> bool {
    error.raw_os_error() == is_link().raw_os_error()
}

/// Never one.
pub fn path_of_open(_: &File) -> Option<PathBuf> {
    None
}

/// Reads as many bytes, from this offset on, and leaves the file's position behind them.
pub fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// Returns when a file is on disk. The entries of folders cannot be waited for; NTFS keeps them in order by its own journal.
pub fn sync(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fs::OpenOptions::new().write(true).open(path)?.sync_all()
}

/// Does nothing: see [`sync`].
pub fn sync_folder(_: &Dir) -> io::Result<()> {
    Ok(())
}
