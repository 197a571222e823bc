//! One file of the work tree: opened without following a link, and replaced atomically.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use guardhost_os::{create_new, mode, open_file, open_folder, os_str, set_file_mode, slashed, sync_folder};

use super::error::SessionResult;
use guardhost_core::change::{Refused, RefusedKind, RepoPath};
use guardhost_core::error::{Context, Error, Fault, FaultKind};

/// Larger files are not read, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// What is at a path. Anything but a plain file or nothing is refused.
#[derive(Debug)]
pub(super) enum SessionDiskState {
    Missing,
    File { bytes: Vec<u8>, permissions: u32 },
}

impl SessionDiskState {
    pub fn exists(&self) -> bool {
        matches!(self, SessionDiskState::File { .. })
    }

    /// Empty for a missing file.
    pub fn bytes(&self) -> &[u8] {
        match self {
            SessionDiskState::Missing => b"",
            SessionDiskState::File { bytes, .. } => bytes,
        }
    }
}

pub(super) fn read(workdir: &Path, path: &RepoPath) -> SessionResult<SessionDiskState> {
    match OpenFolder::open(workdir, path, MissingFolders::Report)? {
        Some(folder) => folder.state_on_disk(path),
        None => Ok(SessionDiskState::Missing),
    }
}

/// The new content of a file.
pub(super) struct NewFile<'a> {
    pub bytes: &'a [u8],
    pub executable: bool,
    /// A folder of this process alone, from which the file can be renamed to its place.
    pub staging: Dir,
}

/// Replaces the content `before`. A reader sees either the old file or the new one. If the file is no longer `before`, nothing
/// is written, and its current state is returned.
///
/// A program that does not take the write lock can still interfere between the comparison and the rename. For a new file there
/// is no such gap: a hard link never replaces an existing file.
pub(super) fn replace(
    workdir: &Path,
    path: &RepoPath,
    before: &SessionDiskState,
    new: &NewFile<'_>,
) -> SessionResult<Option<SessionDiskState>> {
    let mut folder =
        OpenFolder::open(workdir, path, MissingFolders::Create)?.ok_or_else(|| cannot("write", path, gone()))?;
    let replaced = folder.replace(path, before, new);
    if !matches!(replaced, Ok(None)) {
        folder.remove_created();
    }
    replaced
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingFolders {
    Report,
    Create,
}

/// The folder of a file, held open, so that a write goes there even if another program moves folders meanwhile.
struct OpenFolder {
    dir: Dir,
    /// The folders that were created, outermost first: each one's parent and name.
    created: Vec<(Dir, OsString)>,
}

impl OpenFolder {
    /// Enters the path part by part. No part may be a link, or lie in another repository. None when a part is missing and
    /// `missing` is [`MissingFolders::Report`].
    fn open(workdir: &Path, path: &RepoPath, missing: MissingFolders) -> SessionResult<Option<Self>> {
        let root = Dir::open_ambient_dir(workdir, ambient_authority()).with_context(|| {
            Fault::new(FaultKind::Git, format!("cannot open the work tree at {}", workdir.display()))
        })?;
        let mut folder = OpenFolder { dir: root, created: Vec::new() };
        let mut parts: Vec<&OsStr> = path.parts().map(os_str).collect();
        parts.pop();
        for name in parts {
            match folder.enter(path, name, missing) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => {
                    folder.remove_created();
                    return Err(error);
                }
            }
        }
        Ok(Some(folder))
    }

    fn enter(&mut self, path: &RepoPath, name: &OsStr, missing: MissingFolders) -> SessionResult<bool> {
        let below = match open_folder(&self.dir, name) {
            Err(error) if error.kind() == ErrorKind::NotFound && missing == MissingFolders::Report => return Ok(false),
            Err(error) if error.kind() == ErrorKind::NotFound => self
                .create(name)
                .and_then(|()| open_folder(&self.dir, name))
                .map_err(|error| cannot("make a folder of", path, error))?,
            Err(error) => {
                let kind = self.dir.symlink_metadata(name).map(|data| data.file_type());
                let why = match kind {
                    Ok(kind) if kind.is_symlink() => (RefusedKind::Symlink, "a symbolic link"),
                    Ok(kind) if !kind.is_dir() => (RefusedKind::UnsafePath, "a file, not a folder"),
                    _ => return Err(cannot("open a folder of", path, error).into()),
                };
                return Err(Refused::at(why.0, path, format_args!("`{}` in it is {}", name.display(), why.1)).into());
            }
            Ok(below) => below,
        };
        self.dir = below;
        match self.dir.symlink_metadata(".git") {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(cannot("look at a folder of", path, error).into()),
            Ok(_) => {
                let why = format_args!("`{}` in it is another repository", name.display());
                Err(Refused::at(RefusedKind::Submodule, path, why).into())
            }
        }
    }

    fn create(&mut self, name: &OsStr) -> io::Result<()> {
        match self.dir.create_dir(name) {
            Ok(()) => {
                self.created.push((self.dir.try_clone()?, name.to_owned()));
                Ok(())
            }
            // Another program has just created it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Removes the created folders, unless another program has put something into them.
    fn remove_created(&mut self) {
        while let Some((dir, name)) = self.created.pop() {
            // Git does not see an empty folder that stays, and the error of the write matters more than this one.
            let _ = dir.remove_dir(name);
        }
    }

    fn state_on_disk(&self, path: &RepoPath) -> SessionResult<SessionDiskState> {
        let name = os_str(path.file_name());
        let data = match self.dir.symlink_metadata(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(SessionDiskState::Missing),
            other => other.map_err(|error| cannot("look at", path, error))?,
        };
        if data.is_symlink() {
            let target = self.dir.read_link_contents(name).map_err(|error| cannot("read the link", path, error))?;
            let target = RepoPath::new(slashed(&target));
            let why = format_args!("it is a symbolic link to {target}; name the file that it points to");
            return Err(Refused::at(RefusedKind::Symlink, path, why).into());
        }
        if !data.is_file() {
            let kind = if data.is_dir() { "it is a folder" } else { "it is not a plain file" };
            return Err(Refused::at(RefusedKind::UnsafePath, path, kind).into());
        }
        if data.len() > MAX_SIZE {
            let why = format_args!("it has {} bytes; files above {MAX_SIZE} bytes are not read", data.len());
            return Err(Refused::at(RefusedKind::TooLarge, path, why).into());
        }
        Ok(self.open_and_read(name).map_err(|error| cannot("read", path, error))?)
    }

    /// The file may have been replaced since its type was checked: then this fails instead of following a link or waiting for
    /// a pipe.
    fn open_and_read(&self, name: &OsStr) -> io::Result<SessionDiskState> {
        let file = open_file(&self.dir, name)?;
        let data = file.metadata()?;
        let mut bytes = Vec::new();
        file.take(MAX_SIZE).read_to_end(&mut bytes)?;
        Ok(SessionDiskState::File { bytes, permissions: mode(&data) })
    }

    fn replace(
        &self,
        path: &RepoPath,
        before: &SessionDiskState,
        new: &NewFile<'_>,
    ) -> SessionResult<Option<SessionDiskState>> {
        let prepared = OsStr::new("file");
        new.write(prepared, before).map_err(|error| cannot("prepare", path, error))?;
        let now = self.state_on_disk(path)?;
        if now.bytes() != before.bytes() || now.exists() != before.exists() {
            return Ok(Some(now));
        }
        let name = os_str(path.file_name());
        match before {
            SessionDiskState::File { .. } => {
                new.staging.rename(prepared, &self.dir, name).map_err(|error| cannot("replace", path, error))?;
            }
            SessionDiskState::Missing => match new.staging.hard_link(prepared, &self.dir, name) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    return Ok(Some(self.state_on_disk(path)?));
                }
                // File systems such as FAT have no hard links.
                Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
                    new.staging.rename(prepared, &self.dir, name).map_err(|error| cannot("make", path, error))?;
                }
                other => other.map_err(|error| cannot("make", path, error))?,
            },
        }
        sync_folder(&self.dir).map_err(|error| cannot("sync the folder of", path, error))?;
        Ok(None)
    }
}

impl NewFile<'_> {
    fn write(&self, name: &OsStr, before: &SessionDiskState) -> io::Result<()> {
        let mode = if self.executable { 0o777 } else { 0o666 };
        let mut file = create_new(&self.staging, name.as_ref(), mode)?;
        file.write_all(self.bytes)?;
        if let SessionDiskState::File { permissions, .. } = before {
            set_file_mode(&file, *permissions)?;
        }
        file.sync_all()
    }
}

fn gone() -> io::Error {
    ErrorKind::NotFound.into()
}

fn cannot(what: &str, path: &RepoPath, cause: io::Error) -> Error {
    Error::new(cause).context(Fault::new(FaultKind::Git, format!("cannot {what} {path}")))
}
