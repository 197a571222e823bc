//! Files that change places, each in one step where the file system can.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as Stat;
use std::path::Path;

use cap_std::fs::{Dir, MetadataExt};
use rustix::fs::{AtFlags, RenameFlags, linkat, renameat, renameat_with};
use rustix::io::Errno;

/// Exchanges two files.
pub fn exchange(one: (&Dir, &OsStr), other: (&Dir, &OsStr)) -> io::Result<()> {
    Ok(renameat_with(one.0, one.1, other.0, other.1, RenameFlags::EXCHANGE)?)
}

/// Moves a file to where there is none.
pub fn move_to_free(from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
    Ok(renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE)?)
}

/// Moves a file, and replaces what is there.
pub fn rename(from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
    Ok(renameat(from.0, from.1, to.0, to.1)?)
}

/// Gives a file a second name, where there is none.
pub fn link(from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
    Ok(linkat(from.0, from.1, to.0, to.1, AtFlags::empty())?)
}

/// Whether the file system cannot do it at all.
pub fn is_unsupported(error: &io::Error) -> bool {
    let known = [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
    error.raw_os_error().is_some_and(|code| known.iter().any(|errno| errno.raw_os_error() == code))
}

/// Whether [`link`] failed since the file system has no hard links.
pub fn has_no_links(error: &io::Error) -> bool {
    is_unsupported(error) || error.raw_os_error() == Some(Errno::PERM.raw_os_error())
}

/// Whether both are names of one file. False when one is missing.
pub fn is_same_file(one: (&Dir, &OsStr), other: (&Dir, &OsStr)) -> io::Result<bool> {
    let identity = |(dir, name): (&Dir, &OsStr)| match dir.symlink_metadata(name) {
        Ok(data) => Ok(Some((data.dev(), data.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let (one, other) = (identity(one)?, identity(other)?);
    Ok(one.is_some() && one == other)
}

/// Whether the path still names the open file.
pub fn is_at(file: &File, path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|now| file.metadata().is_ok_and(|held| Stat::ino(&held) == Stat::ino(&now)))
}

/// A symbolic link with this content, wherever it leads.
pub fn symlink(dir: &Dir, target: &Path, name: &Path) -> io::Result<()> {
    dir.symlink_contents(target, name)
}

/// The same at a path that need not be in an open folder.
pub fn symlink_at(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// A device, and the mount of it: renames work within one mount only.
#[cfg(target_os = "linux")]
pub fn mount(dir: &Dir) -> io::Result<(u64, u64)> {
    use rustix::fs::{StatxFlags, statx};
    // Kernels before 5.8 do not say; then the device has to do.
    let id = statx(dir, ".", AtFlags::empty(), StatxFlags::MNT_ID).map_or(0, |found| found.stx_mnt_id);
    Ok((dir.dir_metadata()?.dev(), id))
}

/// A device, and no mount: only Linux tells it.
#[cfg(not(target_os = "linux"))]
pub fn mount(dir: &Dir) -> io::Result<(u64, u64)> {
    Ok((dir.dir_metadata()?.dev(), 0))
}
