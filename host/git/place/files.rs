//! Files of the work tree, replaced one by one in a way that can be taken back.

use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, MetadataExt, OpenOptions, Permissions, PermissionsExt};
use uuid::Uuid;

use super::convert::Content;
use crate::diff::Difference;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// The work tree, which no path and no link leads out of, and how to undo what was done in it.
pub(super) struct Files {
    root: Dir,
    undo: Vec<Undo>,
}

/// What stands at a path, links not followed.
pub(super) enum Standing {
    Nothing,
    File(Stamp),
    /// And its target.
    Link(Vec<u8>, Stamp),
    Directory,
    /// A pipe, a socket, a device.
    Other,
}

/// By what git, too, knows whether a file was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
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

enum Undo {
    Remove(RepoPath),
    Restore(RepoPath, Content, SystemTime),
    RemoveDir(RepoPath),
    MakeDir(RepoPath, Permissions),
}

impl Files {
    pub fn below(root: &Path) -> Result<Self> {
        let root = Dir::open_ambient_dir(root, ambient_authority())
            .with_context(|| Fault::new(Kind::Git, format!("cannot open the work tree at {}", root.display())))?;
        Ok(Files { root, undo: Vec::new() })
    }

    pub fn look(&self, path: &RepoPath) -> Result<Standing> {
        self.standing(path).with_context(|| cannot("look at", path))
    }

    fn standing(&self, path: &RepoPath) -> io::Result<Standing> {
        let data = match self.root.symlink_metadata(path.to_os()) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Standing::Nothing);
            }
            other => other?,
        };
        Ok(if data.is_symlink() {
            Standing::Link(self.target(path)?, Stamp::of(&data))
        } else if data.is_file() {
            Standing::File(Stamp::of(&data))
        } else if data.is_dir() {
            Standing::Directory
        } else {
            Standing::Other
        })
    }

    fn target(&self, path: &RepoPath) -> io::Result<Vec<u8>> {
        Ok(self.root.read_link_contents(path.to_os())?.into_os_string().into_vec())
    }

    /// Whether `is` holds for every file below a directory, at any depth.
    pub fn all_below(&self, dir: &RepoPath, is: &dyn Fn(&RepoPath) -> bool) -> Result<bool> {
        for path in self.list(dir).with_context(|| cannot("list", dir))? {
            let holds = match self.look(&path)? {
                Standing::Directory => self.all_below(&path, is)?,
                _ => is(&path),
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn list(&self, dir: &RepoPath) -> io::Result<Vec<RepoPath>> {
        let path = |name: std::ffi::OsString| RepoPath::new([dir.as_bytes(), b"/", &name.into_vec()].concat());
        self.root.read_dir(dir.to_os())?.map(|entry| Ok(path(entry?.file_name()))).collect()
    }

    /// First what goes, then what comes, then the directories that are left empty, which git does not keep either.
    pub fn place(
        &mut self,
        touched: &[Difference],
        seen: &HashMap<RepoPath, Option<Stamp>>,
        mut contents: HashMap<RepoPath, Content>,
    ) -> Result<HashMap<RepoPath, Stamp>> {
        let going =
            || touched.iter().filter(|difference| difference.after.is_none()).map(|difference| &difference.path);
        let mut placed = HashMap::new();
        for path in going() {
            self.as_seen(path, seen)?;
            self.remove(path).with_context(|| cannot("remove", path))?;
        }
        for Difference { path, after, .. } in touched {
            if after.is_none() {
                continue;
            }
            let content = contents.remove(path).ok_or_else(|| cannot("prepare", path))?;
            self.as_seen(path, seen)?;
            placed.insert(path.clone(), self.write(path, &content).with_context(|| cannot("write", path))?);
        }
        for path in going() {
            self.prune(path).with_context(|| cannot("remove the directory of", path))?;
        }
        Ok(placed)
    }

    /// Somebody may have saved the file since it was checked.
    fn as_seen(&self, path: &RepoPath, seen: &HashMap<RepoPath, Option<Stamp>>) -> Result<()> {
        let now = match self.look(path)? {
            Standing::File(stamp) | Standing::Link(_, stamp) => Some(stamp),
            Standing::Nothing | Standing::Directory | Standing::Other => None,
        };
        if seen.get(path) == Some(&now) {
            return Ok(());
        }
        Err(Fault::new(Kind::Git, format!("{path} changed while the change was being placed")).hint("try again").into())
    }

    fn remove(&mut self, path: &RepoPath) -> io::Result<()> {
        let Some(undo) = self.kept(path)? else { return Ok(()) };
        self.root.remove_file(path.to_os())?;
        self.undo.push(undo);
        Ok(())
    }

    fn write(&mut self, path: &RepoPath, content: &Content) -> io::Result<Stamp> {
        if let Standing::Directory = self.standing(path)? {
            self.remove_empty_dirs(path)?;
        }
        self.make_parents(path)?;
        let undo = self.kept(path)?.unwrap_or_else(|| Undo::Remove(path.clone()));
        self.put(path, content, None)?;
        self.undo.push(undo);
        Ok(Stamp::of(&self.root.symlink_metadata(path.to_os())?))
    }

    /// How to bring back the file that stands there; None when there is none.
    fn kept(&self, path: &RepoPath) -> io::Result<Option<Undo>> {
        let content = match self.standing(path)? {
            Standing::File(stamp) => {
                Content::File { bytes: self.root.read(path.to_os())?, permissions: stamp.mode & 0o7777 }
            }
            Standing::Link(target, _) => Content::Link(target),
            Standing::Nothing | Standing::Directory | Standing::Other => return Ok(None),
        };
        let modified = self.root.symlink_metadata(path.to_os())?.modified()?.into_std();
        Ok(Some(Undo::Restore(path.clone(), content, modified)))
    }

    /// Beside its place first, so that the place holds the old file or the new one at any moment.
    fn put(&self, path: &RepoPath, content: &Content, modified: Option<SystemTime>) -> io::Result<()> {
        let beside = path.to_os().with_file_name(format!(".guardhost-{}", Uuid::now_v7().simple()));
        let written = self
            .put_beside(&beside, content, modified)
            .and_then(|()| self.root.rename(&beside, &self.root, path.to_os()));
        if written.is_err() {
            // The reason why it could not be written matters more than a file that stays behind.
            let _ = self.root.remove_file(&beside);
        }
        written
    }

    fn put_beside(&self, beside: &Path, content: &Content, modified: Option<SystemTime>) -> io::Result<()> {
        match content {
            Content::Link(target) => self.root.symlink_contents(RepoPath::new(target.as_slice()).to_os(), beside),
            Content::File { bytes, permissions } => {
                let mut file = self.root.open_with(beside, OpenOptions::new().write(true).create_new(true))?;
                file.write_all(bytes)?;
                file.set_permissions(Permissions::from_mode(*permissions))?;
                modified.map_or(Ok(()), |modified| file.into_std().set_modified(modified))
            }
        }
    }

    fn make_parents(&mut self, path: &RepoPath) -> io::Result<()> {
        for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let dir = RepoPath::new(&path.as_bytes()[..slash]);
            match self.root.create_dir(dir.to_os()) {
                Ok(()) => self.undo.push(Undo::RemoveDir(dir)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn remove_empty_dirs(&mut self, dir: &RepoPath) -> io::Result<()> {
        for path in self.list(dir)? {
            self.remove_empty_dirs(&path)?;
        }
        self.remove_dir(dir)
    }

    fn remove_dir(&mut self, dir: &RepoPath) -> io::Result<()> {
        let permissions = self.root.symlink_metadata(dir.to_os())?.permissions();
        self.root.remove_dir(dir.to_os())?;
        self.undo.push(Undo::MakeDir(dir.clone(), permissions));
        Ok(())
    }

    fn prune(&mut self, path: &RepoPath) -> io::Result<()> {
        let bytes = path.as_bytes();
        for slash in (0..bytes.len()).rev().filter(|at| bytes[*at] == b'/') {
            let dir = RepoPath::new(&bytes[..slash]);
            match self.standing(&dir)? {
                Standing::Directory if self.list(&dir)?.is_empty() => self.remove_dir(&dir)?,
                Standing::Nothing => {}
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Undoes everything, last first, and says so beside the reason for it.
    pub fn put_back(&mut self, cause: Error) -> Error {
        let mut lost = Vec::new();
        while let Some(undo) = self.undo.pop() {
            let (path, undone) = match &undo {
                Undo::Remove(path) => (path, self.root.remove_file(path.to_os())),
                Undo::Restore(path, content, modified) => (path, self.put(path, content, Some(*modified))),
                Undo::RemoveDir(path) => (path, self.root.remove_dir(path.to_os())),
                Undo::MakeDir(path, permissions) => {
                    let made = self.root.create_dir(path.to_os());
                    (path, made.and_then(|()| self.root.set_permissions(path.to_os(), permissions.clone())))
                }
            };
            if let Err(error) = undone {
                lost.push(format!("{path} ({error})"));
            }
        }
        match lost.is_empty() {
            true => cause,
            false => cause.context(
                Fault::new(
                    Kind::Git,
                    format!("the change failed midway, and could not be taken back at {}", lost.join(", ")),
                )
                .hint("git has these files as they were: git restore PATH"),
            ),
        }
    }
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Stamp {
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

fn cannot(what: &str, path: &RepoPath) -> Fault {
    Fault::new(Kind::Git, format!("cannot {what} {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::change::{FileMode, Oid, TreeEntry};

    #[test]
    fn what_fails_midway_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        std::fs::create_dir(at("gone")).unwrap();
        for path in ["edit", "gone/file", "saved"] {
            std::fs::write(at(path), path).unwrap();
        }
        let modified = |path: &str| std::fs::metadata(at(path)).unwrap().modified().unwrap();
        let before = ["edit", "gone/file"].map(modified);
        let mut files = Files::below(dir.path()).unwrap();
        let (mut touched, mut seen, mut contents) = (Vec::new(), HashMap::new(), HashMap::new());
        for (path, stays) in [("edit", true), ("gone/file", false), ("new/deep", true), ("saved", true)] {
            let path = RepoPath::from(path);
            let entry = TreeEntry { oid: Oid::ZERO_SHA1, mode: FileMode::File };
            touched.push(Difference { path: path.clone(), before: None, after: stays.then_some(entry) });
            let Ok(Standing::File(stamp)) = files.look(&path) else {
                seen.insert(path.clone(), None);
                contents.insert(path, Content::Link(b"nowhere".to_vec()));
                continue;
            };
            seen.insert(path.clone(), Some(stamp));
            contents.insert(path, Content::File { bytes: b"new".to_vec(), permissions: 0o755 });
        }
        std::fs::write(at("saved"), "by somebody, meanwhile").unwrap();
        let error = files.place(&touched, &seen, contents).unwrap_err();
        let error = files.put_back(error).to_string();
        assert!(error.contains("saved changed while"), "{error}");
        assert_eq!(std::fs::read(at("edit")).unwrap(), b"edit");
        assert_eq!(std::fs::read(at("gone/file")).unwrap(), b"gone/file");
        assert_eq!(std::fs::read(at("saved")).unwrap(), b"by somebody, meanwhile");
        assert_eq!(["edit", "gone/file"].map(modified), before);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
