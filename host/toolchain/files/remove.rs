//! A folder of things to delete. What is to go is renamed into it, which takes one system call whatever is inside.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use guardhost_os::Private;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// On the file system of everything that is moved into it.
pub struct Trash {
    folder: PathBuf,
}

impl Trash {
    pub fn new(folder: PathBuf) -> Self {
        Trash { folder }
    }

    /// Moves a file or folder here. It is Ok if there is none.
    pub fn take(&self, path: &Path) -> io::Result<()> {
        let Some((parent, name)) = path.parent().zip(path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let parent = match open_folder(CWD, parent) {
            Err(Errno::NOENT) => return Ok(()),
            parent => parent?,
        };
        let name = CString::new(name.as_encoded_bytes())?;
        self.take_from(&parent, &name)
    }

    /// Moves the entry `name` of an open folder here. It is Ok if there is none.
    pub fn take_from(&self, parent: impl AsFd, name: &CStr) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).private().create(&self.folder)?;
        let trash = open_folder(CWD, &self.folder)?;
        match move_into(&trash, parent, name) {
            Err(Errno::NOENT) => Ok(()),
            moved => Ok(moved?),
        }
    }

    /// Deletes everything in it. Needs two descriptors and no recursion however deep it is: folders are moved up to the top first.
    pub fn empty(&self) -> io::Result<()> {
        let top = match open_folder(CWD, &self.folder) {
            Err(Errno::NOENT) => return Ok(()),
            top => top?,
        };
        loop {
            let entries = entries(&top)?;
            if entries.is_empty() {
                return Ok(());
            }
            let mut failed = None;
            let mut progress = false;
            for (name, kind) in entries {
                let removed = match kind {
                    FileType::Directory => flatten(&top, &name),
                    _ => rustix::fs::unlinkat(&top, &*name, AtFlags::empty()),
                };
                match removed {
                    Ok(()) => progress = true,
                    Err(error) => failed = Some(error),
                }
            }
            if let (false, Some(error)) = (progress, failed) {
                return Err(error.into());
            }
        }
    }
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Not if it is a link.
pub fn open_folder(parent: impl AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat(parent, name, FOLDER, Mode::empty())
}

/// Names and kinds of what is in an open folder.
fn entries(folder: impl AsFd) -> rustix::io::Result<Vec<(CString, FileType)>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => kind(&folder, name)?,
            kind => kind,
        };
        found.push((name.to_owned(), kind));
    }
    Ok(found)
}

fn kind(folder: impl AsFd, name: &CStr) -> rustix::io::Result<FileType> {
    Ok(FileType::from_raw_mode(rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode))
}

/// Removes a folder of `top`, after its own folders have moved up to `top`.
fn flatten(top: &OwnedFd, name: &CStr) -> rustix::io::Result<()> {
    make_accessible(top, name)?;
    let folder = open_folder(top, name)?;
    for (inner, kind) in entries(&folder)? {
        match kind {
            FileType::Directory => move_into(top, &folder, &inner)?,
            _ => rustix::fs::unlinkat(&folder, &*inner, AtFlags::empty())?,
        }
    }
    rustix::fs::unlinkat(top, name, AtFlags::REMOVEDIR)
}

/// Under a name that is free there.
fn move_into(trash: &OwnedFd, parent: impl AsFd, name: &CStr) -> rustix::io::Result<()> {
    let parent = parent.as_fd();
    if kind(parent, name)? == FileType::Directory {
        // A folder is renamed only by who may write to it: its entry `..` changes.
        make_accessible(parent, name)?;
    }
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let free = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        match rustix::fs::renameat_with(parent, name, trash, free.as_str(), RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            moved => return moved,
        }
    }
}

/// Gives the user all rights to a folder: a test may have taken them away.
pub fn make_accessible(parent: impl AsFd, name: &CStr) -> rustix::io::Result<()> {
    let parent = parent.as_fd();
    let stat = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let is_folder = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
    match is_folder && stat.st_mode & 0o700 != 0o700 {
        true => rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::empty()),
        false => Ok(()),
    }
}
