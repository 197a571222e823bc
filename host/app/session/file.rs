//! One file of the work tree: reached without following a link, and replaced in one step.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use rustix::fs::{Mode, OFlags, openat};
use uuid::Uuid;

use super::halt::Step;
use guardhost_core::change::{Refused, RefusedKind, RepoPath};
use guardhost_core::error::{Context, Error, Fault, Kind};

/// Bytes above which a file is not taken into memory.
const LARGEST: u64 = 64 << 20;

/// What is at a path. Anything but a plain file, or the lack of one, is refused before it comes to this.
#[derive(Debug)]
pub(super) enum Standing {
    Nothing,
    File { bytes: Vec<u8>, permissions: u32 },
}

impl Standing {
    pub fn exists(&self) -> bool {
        matches!(self, Standing::File { .. })
    }

    /// A missing file has the content of an empty one.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Standing::Nothing => b"",
            Standing::File { bytes, .. } => bytes,
        }
    }
}

pub(super) fn look(workdir: &Path, path: &RepoPath) -> Step<Standing> {
    match Folder::of(workdir, path, Missing::Leave)? {
        Some(folder) => folder.standing(path),
        None => Ok(Standing::Nothing),
    }
}

/// Puts `bytes` in the place of `before`. The file is the old one or the new one at any moment. When it is no longer `before`
/// just before that moment, it stays, and is handed back.
///
/// The instant between that look and the rename is all that is left to a program that does not take the lock; a new file
/// has not even that, since a link cannot take the place of a file.
pub(super) fn replace(
    workdir: &Path,
    path: &RepoPath,
    before: &Standing,
    bytes: &[u8],
    executable: bool,
) -> Step<Option<Standing>> {
    let mut folder = Folder::of(workdir, path, Missing::Make)?.ok_or_else(|| cannot("write", path, gone()))?;
    let replaced = folder.replace(path, before, bytes, executable);
    if !matches!(replaced, Ok(None)) {
        folder.take_back();
    }
    replaced
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Leave,
    Make,
}

/// The folder of a file, held open: whoever moves folders about meanwhile cannot lead a write elsewhere.
struct Folder {
    dir: Dir,
    /// Folders that were made on the way, each with the one that it stands in.
    made: Vec<(Dir, OsString)>,
}

impl Folder {
    /// Goes in part by part. None of the parts may be a link, or lie in another repository. None when one is missing.
    fn of(workdir: &Path, path: &RepoPath, missing: Missing) -> Step<Option<Self>> {
        let root = Dir::open_ambient_dir(workdir, ambient_authority())
            .with_context(|| Fault::new(Kind::Git, format!("cannot open the work tree at {}", workdir.display())))?;
        let mut folder = Folder { dir: root, made: Vec::new() };
        let mut parts: Vec<&OsStr> = path.parts().map(OsStr::from_bytes).collect();
        parts.pop();
        for name in parts {
            match folder.enter(path, name, missing) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(halt) => {
                    folder.take_back();
                    return Err(halt);
                }
            }
        }
        Ok(Some(folder))
    }

    fn enter(&mut self, path: &RepoPath, name: &OsStr, missing: Missing) -> Step<bool> {
        let below = match open_dir(&self.dir, name) {
            Err(error) if error.kind() == ErrorKind::NotFound && missing == Missing::Leave => return Ok(false),
            Err(error) if error.kind() == ErrorKind::NotFound => self
                .make(name)
                .and_then(|()| open_dir(&self.dir, name))
                .map_err(|error| cannot("make a folder of", path, error))?,
            Err(error) => {
                let kind = self.dir.symlink_metadata(name).map(|data| data.file_type());
                let why = match kind {
                    Ok(kind) if kind.is_symlink() => (RefusedKind::Symlink, "a symbolic link"),
                    Ok(kind) if !kind.is_dir() => (RefusedKind::UnsafePath, "a file, not a folder"),
                    _ => return Err(cannot("open a folder of", path, error).into()),
                };
                return Err(refuse(why.0, path, format_args!("`{}` in it is {}", name.display(), why.1)).into());
            }
            Ok(below) => below,
        };
        self.dir = below;
        match self.dir.symlink_metadata(".git") {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(cannot("look at a folder of", path, error).into()),
            Ok(_) => {
                let why = format_args!("`{}` in it is another repository", name.display());
                Err(refuse(RefusedKind::Submodule, path, why).into())
            }
        }
    }

    fn make(&mut self, name: &OsStr) -> io::Result<()> {
        match self.dir.create_dir(name) {
            Ok(()) => {
                self.made.push((self.dir.try_clone()?, name.to_owned()));
                Ok(())
            }
            // Somebody else made it just now.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// What was made goes again, unless somebody has put something there.
    fn take_back(&mut self) {
        while let Some((dir, name)) = self.made.pop() {
            // An empty folder that stays is nothing that git sees, and why the write failed matters more.
            let _ = dir.remove_dir(name);
        }
    }

    fn standing(&self, path: &RepoPath) -> Step<Standing> {
        let name = OsStr::from_bytes(path.file_name());
        let data = match self.dir.symlink_metadata(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Standing::Nothing),
            other => other.map_err(|error| cannot("look at", path, error))?,
        };
        if data.is_symlink() {
            let target = self.dir.read_link_contents(name).map_err(|error| cannot("read the link", path, error))?;
            let target = RepoPath::new(target.as_os_str().as_bytes());
            let why = format_args!("it is a symbolic link to {target}; name the file that it points to");
            return Err(refuse(RefusedKind::Symlink, path, why).into());
        }
        if !data.is_file() {
            let kind = if data.is_dir() { "it is a folder" } else { "it is no plain file" };
            return Err(refuse(RefusedKind::UnsafePath, path, kind).into());
        }
        if data.len() > LARGEST {
            let why = format_args!("it has {} bytes; more than {LARGEST} are not read", data.len());
            return Err(refuse(RefusedKind::TooLarge, path, why).into());
        }
        Ok(self.content(name).map_err(|error| cannot("read", path, error))?)
    }

    /// What was a plain file may be something else by now: then this fails instead of following, or waiting.
    fn content(&self, name: &OsStr) -> io::Result<Standing> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = cap_std::fs::File::from_std(openat(&self.dir, name, flags, Mode::empty())?.into());
        let data = file.metadata()?;
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes)?;
        Ok(Standing::File { bytes, permissions: data.permissions().mode() & 0o7777 })
    }

    fn replace(&self, path: &RepoPath, before: &Standing, bytes: &[u8], executable: bool) -> Step<Option<Standing>> {
        let beside = OsString::from(format!(".guardhost-{}", Uuid::now_v7().simple()));
        let replaced = (|| -> Step<Option<Standing>> {
            self.put(&beside, before, bytes, executable).map_err(|error| cannot("write beside", path, error))?;
            let now = self.standing(path)?;
            if now.bytes() != before.bytes() || now.exists() != before.exists() {
                return Ok(Some(now));
            }
            let name = OsStr::from_bytes(path.file_name());
            match before {
                Standing::File { .. } => {
                    self.dir.rename(&beside, &self.dir, name).map_err(|error| cannot("replace", path, error))?;
                }
                Standing::Nothing => match self.dir.hard_link(&beside, &self.dir, name) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(Some(self.standing(path)?)),
                    // FAT and its like have no links.
                    Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
                        self.dir.rename(&beside, &self.dir, name).map_err(|error| cannot("make", path, error))?;
                    }
                    other => other.map_err(|error| cannot("make", path, error))?,
                },
            }
            Ok(None)
        })();
        // After a rename there is nothing left to remove.
        let _ = self.dir.remove_file(&beside);
        replaced
    }

    fn put(&self, beside: &OsStr, before: &Standing, bytes: &[u8], executable: bool) -> io::Result<()> {
        let mode = if executable { 0o777 } else { 0o666 };
        let mut file = self.dir.open_with(beside, OpenOptions::new().write(true).create_new(true).mode(mode))?;
        file.write_all(bytes)?;
        if let Standing::File { permissions, .. } = before {
            file.set_permissions(Permissions::from_mode(*permissions))?;
        }
        file.sync_all()
    }
}

fn open_dir(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(Dir::from_std_file(openat(dir, name, flags, Mode::empty())?.into()))
}

fn gone() -> io::Error {
    ErrorKind::NotFound.into()
}

fn refuse(kind: RefusedKind, path: &RepoPath, why: impl std::fmt::Display) -> Refused {
    Refused { kind, path: Some(path.clone()), message: format!("{path}: {why}") }
}

fn cannot(what: &str, path: &RepoPath, cause: io::Error) -> Error {
    Error::new(cause).context(Fault::new(Kind::Git, format!("cannot {what} {path}")))
}
