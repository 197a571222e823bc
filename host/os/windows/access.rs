//! Files have no mode here. Who may read them follows from the folder: a user's profile is closed to others, other folders are as their
//! owner made them. The host neither reads nor changes that.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

/// Whether files have an executable bit.
pub const KEEPS_MODES: bool = false;

/// Whether the host itself can close its files to other users.
pub const KEEPS_PRIVATE: bool = false;

/// What `stat` says of them; nothing decides by it.
const FILE: u32 = 0o644;

/// The endings of programs, in the order in which a shell tries them.
const PROGRAMS: [&str; 4] = ["com", "exe", "bat", "cmd"];

/// For what only the user may read.
pub trait Private {
    /// Changes nothing: it is as private as the folder that it is made in.
    fn private(&mut self) -> &mut Self;
}

impl Private for DirBuilder {
    fn private(&mut self) -> &mut Self {
        self
    }
}

impl Private for OpenOptions {
    fn private(&mut self) -> &mut Self {
        self
    }
}

/// Always: the owner is not looked at. It is asked of folders in the user's profile.
pub fn is_own(_: &Metadata) -> bool {
    true
}

/// Never: the list of rights is not looked at. It is asked of files in the user's profile.
pub fn may_be_read_by_others(_: &Metadata) -> bool {
    false
}

/// Does nothing.
pub fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The program that a shell would start for this path, which may lack its ending.
pub fn program_at(path: PathBuf) -> Option<PathBuf> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if ending.is_some_and(|ending| PROGRAMS.contains(&ending.as_str())) && path.is_file() {
        return Some(path);
    }
    let name = path.file_name()?.to_owned();
    let candidates = PROGRAMS.iter().map(|ending| {
        let mut name = name.clone();
        name.push(".");
        name.push(ending);
        path.with_file_name(name)
    });
    candidates.into_iter().find(|path| path.is_file())
}

/// Never: no bit says so.
pub fn is_executable_by_owner(_: &Metadata) -> bool {
    false
}

/// The same for every file.
pub fn mode(_: &cap_std::fs::Metadata) -> u32 {
    FILE
}

/// Does nothing.
pub fn set_mode(_: &Dir, _: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Does nothing.
pub fn set_file_mode(_: &cap_std::fs::File, _: u32) -> io::Result<()> {
    Ok(())
}

/// Makes a file that was not there.
pub fn create_new(dir: &Dir, name: &Path, _: u32) -> io::Result<cap_std::fs::File> {
    dir.open_with(name, cap_std::fs::OpenOptions::new().write(true).create_new(true))
}

/// Does nothing: the file inherits the rights of its folder.
pub fn inherit_mode(_: &File, _: &Path, _: bool) -> io::Result<()> {
    Ok(())
}
