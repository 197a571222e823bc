//! The files on disk: what is at a path.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use git2::ObjectType;
use guardhost_os::{DirStat, os_str, slashed};

use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// The root of the work tree. No path and no link leads out of it.
pub(super) struct WorkTree {
    pub(super) root: Dir,
}

/// What is at a path. Links are not followed.
pub(super) enum DiskState {
    Nothing,
    File(FileStat),
    /// A symbolic link.
    Link(FileStat),
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

/// A file's bytes, whether it can be executed, and whether it is a link: all that git could lose of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OnDisk {
    /// `S_IFLNK`, or `S_IFREG` with the user's executable bit.
    pub mode: u32,
    /// Of the bytes as they are, without any conversion; of a link its target.
    pub hash: Oid,
}

impl OnDisk {
    pub fn is_link(self) -> bool {
        self.mode == LINK
    }

    pub fn is_executable(self) -> bool {
        self.mode == REGULAR | 0o100
    }
}

/// What is found where a file may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundFile {
    Nothing,
    File(OnDisk),
    /// A directory, a pipe, a socket, a device.
    Other,
}

impl FoundFile {
    pub fn file(self) -> Option<OnDisk> {
        match self {
            FoundFile::File(file) => Some(file),
            FoundFile::Nothing | FoundFile::Other => None,
        }
    }
}

const LINK: u32 = 0o120_000;
const REGULAR: u32 = 0o100_000;

/// Reads the file at `path` below `dir`. Links are not followed.
pub(super) fn find(dir: &Dir, path: &Path) -> io::Result<FoundFile> {
    let data = match dir.symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(FoundFile::Nothing);
        }
        other => other?,
    };
    let (mode, bytes) = if data.is_symlink() {
        (LINK, slashed(&dir.read_link_contents(path)?))
    } else if data.is_file() {
        (REGULAR | data.mode() & 0o100, dir.read(path)?)
    } else {
        return Ok(FoundFile::Other);
    };
    Ok(FoundFile::File(OnDisk { mode, hash: hash(&bytes)? }))
}

pub(super) fn hash(bytes: &[u8]) -> io::Result<Oid> {
    Oid::hash_object(ObjectType::Blob, bytes).map_err(io::Error::other)
}

impl WorkTree {
    pub fn open(root: &Path) -> Result<Self> {
        let root = Dir::open_ambient_dir(root, ambient_authority())
            .with_context(|| Fault::new(FaultKind::Git, format!("cannot open the work tree at {}", root.display())))?;
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
            DiskState::Link(FileStat::from_metadata(&data))
        } else if data.is_file() {
            DiskState::File(FileStat::from_metadata(&data))
        } else if data.is_dir() {
            DiskState::Directory
        } else {
            DiskState::Other
        })
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
        let path = |name: std::ffi::OsString| RepoPath::new([dir.as_bytes(), b"/", name.as_encoded_bytes()].concat());
        self.root.read_dir(dir.to_os())?.map(|entry| Ok(path(entry?.file_name()))).collect()
    }

    pub(super) fn find(&self, path: &RepoPath) -> io::Result<FoundFile> {
        find(&self.root, &path.to_os())
    }

    /// The directory of a path, opened, and the name in it.
    pub(super) fn open_parent(&self, path: &RepoPath) -> io::Result<(Dir, OsString)> {
        let bytes = path.as_bytes();
        let at = bytes.iter().rposition(|byte| *byte == b'/');
        let dir = match at {
            Some(at) => self.root.open_dir(RepoPath::new(&bytes[..at]).to_os())?,
            None => self.root.try_clone()?,
        };
        Ok((dir, os_str(&bytes[at.map_or(0, |at| at + 1)..]).to_owned()))
    }
}

/// Every directory above `path`, outermost first, the root left out.
pub(super) fn parents(path: &RepoPath) -> impl DoubleEndedIterator<Item = RepoPath> {
    let bytes = path.as_bytes();
    let slashes: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'/').collect();
    slashes.into_iter().map(|at| RepoPath::new(&bytes[..at]))
}

impl FileStat {
    pub(super) fn from_metadata(data: &Metadata) -> Self {
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

    /// Whether it is the same file with the same content. Moving a file sets its ctime.
    pub fn is_same_file(&self, other: &FileStat) -> bool {
        *self == FileStat { ctime: self.ctime, ..*other }
    }
}

pub(super) fn cannot(action: &str, path: &RepoPath) -> Fault {
    Fault::new(FaultKind::Git, format!("cannot {action} {path}"))
}
