//! Who may read and execute a file: its mode and its owner.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use rustix::process::geteuid;

/// Whether files have an executable bit.
pub const KEEPS_MODES: bool = true;

/// Whether the host itself can close its files to other users.
pub const KEEPS_PRIVATE: bool = true;

/// For what only the user may read.
pub trait Private {
    /// Folders get the mode 0700, files 0600.
    fn private(&mut self) -> &mut Self;
}

impl Private for DirBuilder {
    fn private(&mut self) -> &mut Self {
        self.mode(0o700)
    }
}

impl Private for OpenOptions {
    fn private(&mut self) -> &mut Self {
        self.mode(0o600)
    }
}

/// Whether it belongs to this user.
pub fn is_own(data: &Metadata) -> bool {
    data.uid() == geteuid().as_raw()
}

/// Whether users other than the owner have any access.
pub fn may_be_read_by_others(data: &Metadata) -> bool {
    data.mode() & 0o077 != 0
}

/// Closes a folder to other users, unless it is.
pub fn make_private(folder: &Path) -> io::Result<()> {
    match may_be_read_by_others(&fs::metadata(folder)?) {
        false => Ok(()),
        true => fs::set_permissions(folder, Permissions::from_mode(0o700)),
    }
}

/// The program that a shell would start for this path: a file that anyone may execute.
pub fn program_at(path: PathBuf) -> Option<PathBuf> {
    let is_program = path.metadata().is_ok_and(|data| data.is_file() && data.mode() & 0o111 != 0);
    is_program.then_some(path)
}

/// The bit that git keeps.
pub fn is_executable_by_owner(data: &Metadata) -> bool {
    data.mode() & 0o100 != 0
}

/// The twelve bits of a mode.
pub fn mode(data: &cap_std::fs::Metadata) -> u32 {
    cap_std::fs::PermissionsExt::mode(&data.permissions()) & 0o7777
}

/// Sets the mode of what is at `path`.
pub fn set_mode(dir: &Dir, path: &Path, mode: u32) -> io::Result<()> {
    dir.set_permissions(path, cap_std::fs::Permissions::from_std(Permissions::from_mode(mode)))
}

/// Sets the mode of an open file.
pub fn set_file_mode(file: &cap_std::fs::File, mode: u32) -> io::Result<()> {
    file.set_permissions(cap_std::fs::Permissions::from_std(Permissions::from_mode(mode)))
}

/// Makes a file that was not there, with a mode that the user's umask narrows.
pub fn create_new(dir: &Dir, name: &Path, mode: u32) -> io::Result<cap_std::fs::File> {
    let mut options = cap_std::fs::OpenOptions::new();
    cap_std::fs::OpenOptionsExt::mode(&mut options, mode);
    dir.open_with(name, options.write(true).create_new(true))
}

/// Gives a file the mode of the one that it is about to replace, or 0644; a program may be executed too.
pub fn inherit_mode(file: &File, replaced: &Path, is_program: bool) -> io::Result<()> {
    let mode = fs::metadata(replaced).map_or(0o644, |data| data.permissions().mode());
    let mode = if is_program { mode | 0o111 } else { mode };
    file.set_permissions(Permissions::from_mode(mode & 0o7777))
}
