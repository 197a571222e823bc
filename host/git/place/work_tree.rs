//! The files on disk: reading what is at a path, and replacing one file.

use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, MetadataExt, OpenOptions, Permissions, PermissionsExt};
use uuid::Uuid;

use super::checkout::Content;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Fault, Kind, Result};

/// The root of the work tree. No path and no link leads out of it.
pub(super) struct WorkTree {
    pub(super) root: Dir,
}

/// What is at a path. Links are not followed.
pub(super) enum DiskState {
    Nothing,
    File(FileStat),
    /// A symbolic link, with its target.
    Link(Vec<u8>, FileStat),
    Directory,
    /// A pipe, a socket, a device.
    Other,
}

/// The metadata by which git, too, detects that a file was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStat {
    pub dev: u64,
    pub ino: u64,
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    pub size: u64,
    /// Seconds and nanoseconds.
    pub ctime: (i64, i64),
    pub mtime: (i64, i64),
}

impl WorkTree {
    pub fn open(root: &Path) -> Result<Self> {
        let root = Dir::open_ambient_dir(root, ambient_authority())
            .with_context(|| Fault::new(Kind::Git, format!("cannot open the work tree at {}", root.display())))?;
        Ok(WorkTree { root })
    }

    pub fn state(&self, path: &RepoPath) -> Result<DiskState> {
        self.read_state(path).with_context(|| cannot("read the state of", path))
    }

    pub(super) fn read_state(&self, path: &RepoPath) -> io::Result<DiskState> {
        let data = match self.root.symlink_metadata(path.to_os()) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(DiskState::Nothing);
            }
            other => other?,
        };
        Ok(if data.is_symlink() {
            DiskState::Link(self.link_target(path)?, FileStat::of(&data))
        } else if data.is_file() {
            DiskState::File(FileStat::of(&data))
        } else if data.is_dir() {
            DiskState::Directory
        } else {
            DiskState::Other
        })
    }

    fn link_target(&self, path: &RepoPath) -> io::Result<Vec<u8>> {
        Ok(self.root.read_link_contents(path.to_os())?.into_os_string().into_vec())
    }

    /// Whether `predicate` holds for every file below a directory, at any depth.
    pub fn all_below(&self, dir: &RepoPath, predicate: &dyn Fn(&RepoPath) -> bool) -> Result<bool> {
        for path in self.list(dir).with_context(|| cannot("list", dir))? {
            let holds = match self.state(&path)? {
                DiskState::Directory => self.all_below(&path, predicate)?,
                _ => predicate(&path),
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn list(&self, dir: &RepoPath) -> io::Result<Vec<RepoPath>> {
        let path = |name: std::ffi::OsString| RepoPath::new([dir.as_bytes(), b"/", &name.into_vec()].concat());
        self.root.read_dir(dir.to_os())?.map(|entry| Ok(path(entry?.file_name()))).collect()
    }

    /// Writes a temporary file beside the path and renames it, so that the path holds the old file or the new one at any moment.
    pub(super) fn replace(&self, path: &RepoPath, content: &Content, modified: Option<SystemTime>) -> io::Result<()> {
        let temporary = path.to_os().with_file_name(format!(".guardhost-{}", Uuid::now_v7().simple()));
        let written = self
            .create(&temporary, content, modified)
            .and_then(|()| self.root.rename(&temporary, &self.root, path.to_os()));
        if written.is_err() {
            // The first error matters more than a temporary file that is left behind.
            let _ = self.root.remove_file(&temporary);
        }
        written
    }

    fn create(&self, file: &Path, content: &Content, modified: Option<SystemTime>) -> io::Result<()> {
        match content {
            Content::Link(target) => self.root.symlink_contents(RepoPath::new(target.as_slice()).to_os(), file),
            Content::File { bytes, permissions } => {
                let mut file = self.root.open_with(file, OpenOptions::new().write(true).create_new(true))?;
                file.write_all(bytes)?;
                file.set_permissions(Permissions::from_mode(*permissions))?;
                modified.map_or(Ok(()), |modified| file.into_std().set_modified(modified))
            }
        }
    }
}

impl FileStat {
    pub(super) fn of(data: &Metadata) -> Self {
        FileStat {
            dev: data.dev(),
            ino: data.ino(),
            mode: data.mode(),
            uid: data.uid(),
            gid: data.gid(),
            size: data.size(),
            ctime: (data.ctime(), data.ctime_nsec()),
            mtime: (data.mtime(), data.mtime_nsec()),
        }
    }
}

pub(super) fn cannot(action: &str, path: &RepoPath) -> Fault {
    Fault::new(Kind::Git, format!("cannot {action} {path}"))
}
