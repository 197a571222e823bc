//! Files that change places. There is no exchange in one step; callers fall back to hard links, which NTFS has.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_std::fs::Dir;
use same_file::Handle;
use windows_sys::Win32::Foundation::{ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED};

use super::open::open_itself;

/// Never done.
pub fn exchange(_: (&Dir, &OsStr), _: (&Dir, &OsStr)) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Never done: the call that moves may replace.
pub fn move_to_free(_: (&Dir, &OsStr), _: (&Dir, &OsStr)) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Moves a file, and replaces what is there.
pub fn rename(from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
    from.0.rename(from.1, to.0, to.1)
}

/// Gives a file a second name, where there is none.
pub fn link(from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
    from.0.hard_link(from.1, to.0, to.1)
}

/// Whether the file system cannot do it at all.
pub fn is_unsupported(error: &io::Error) -> bool {
    let known = [ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED].map(|code| Some(code.cast_signed()));
    error.kind() == ErrorKind::Unsupported || known.contains(&error.raw_os_error())
}

/// Whether [`link`] failed since the file system has no hard links.
pub fn has_no_links(error: &io::Error) -> bool {
    is_unsupported(error)
}

/// Whether both are names of one file. False when one is missing.
pub fn is_same_file(one: (&Dir, &OsStr), other: (&Dir, &OsStr)) -> io::Result<bool> {
    let identity = |(dir, name): (&Dir, &OsStr)| match open_itself(dir, name) {
        Ok(file) => Handle::from_file(file.into_std()).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let (one, other) = (identity(one)?, identity(other)?);
    Ok(one.is_some() && one == other)
}

/// Whether the path still names the open file.
pub fn is_at(file: &File, path: &Path) -> bool {
    let held = file.try_clone().and_then(Handle::from_file);
    held.is_ok_and(|held| Handle::from_path(path).is_ok_and(|now| now == held))
}

/// A symbolic link to a file. Errors: the user may not make links (Windows asks for the developer mode, or for an administrator); the
/// target is absolute.
pub fn symlink(dir: &Dir, target: &Path, name: &Path) -> io::Result<()> {
    dir.symlink_file(target, name)
}

/// The same at a path that need not be in an open folder.
pub fn symlink_at(target: &Path, path: &Path) -> io::Result<()> {
    match target.is_dir() {
        true => std::os::windows::fs::symlink_dir(target, path),
        false => std::os::windows::fs::symlink_file(target, path),
    }
}

/// The same for every folder: a volume that is mounted in a folder is a junction, which is a link for the host.
pub fn mount(_: &Dir) -> io::Result<(u64, u64)> {
    Ok((0, 0))
}
