//! Changes files of the work tree one by one, and can undo that.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::Permissions;

use super::checkout::Content;
use super::work_tree::{DiskState, FileStat, WorkTree, cannot};
use crate::tree_diff::Difference;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// The work tree, and how to undo what was done in it.
pub(super) struct Transaction {
    work_tree: WorkTree,
    /// In the order of the steps.
    undo: Vec<Undo>,
}

enum Undo {
    RemoveFile(RepoPath),
    RestoreFile(RepoPath, Content, SystemTime),
    RemoveDir(RepoPath),
    RestoreDir(RepoPath, Permissions),
}

impl Transaction {
    pub fn begin(root: &Path) -> Result<Self> {
        Ok(Transaction { work_tree: WorkTree::open(root)?, undo: Vec::new() })
    }

    pub fn work_tree(&self) -> &WorkTree {
        &self.work_tree
    }

    /// Removes files, then writes files, then removes directories that became empty, which git does not keep either.
    /// `seen` is what was at each path when it was checked. Returns the metadata of the files written.
    pub fn apply(
        &mut self,
        touched: &[Difference],
        seen: &HashMap<RepoPath, Option<FileStat>>,
        mut contents: HashMap<RepoPath, Content>,
    ) -> Result<HashMap<RepoPath, FileStat>> {
        let removed =
            || touched.iter().filter(|difference| difference.after.is_none()).map(|difference| &difference.path);
        let mut placed = HashMap::new();
        for path in removed() {
            self.check_unchanged(path, seen)?;
            self.remove(path).with_context(|| cannot("remove", path))?;
        }
        for Difference { path, after, .. } in touched {
            if after.is_none() {
                continue;
            }
            let content = contents.remove(path).ok_or_else(|| cannot("prepare", path))?;
            self.check_unchanged(path, seen)?;
            placed.insert(path.clone(), self.write(path, &content).with_context(|| cannot("write", path))?);
        }
        for path in removed() {
            self.remove_empty_parents(path).with_context(|| cannot("remove the directory of", path))?;
        }
        Ok(placed)
    }

    /// Another process may have saved the file since it was checked.
    fn check_unchanged(&self, path: &RepoPath, seen: &HashMap<RepoPath, Option<FileStat>>) -> Result<()> {
        let now = match self.work_tree.state(path)? {
            DiskState::File(stat) | DiskState::Link(_, stat) => Some(stat),
            DiskState::Nothing | DiskState::Directory | DiskState::Other => None,
        };
        if seen.get(path) == Some(&now) {
            return Ok(());
        }
        Err(Fault::new(Kind::Git, format!("{path} changed while the change was being placed")).hint("try again").into())
    }

    fn remove(&mut self, path: &RepoPath) -> io::Result<()> {
        let Some(undo) = self.undo_of(path)? else { return Ok(()) };
        self.work_tree.root.remove_file(path.to_os())?;
        self.undo.push(undo);
        Ok(())
    }

    fn write(&mut self, path: &RepoPath, content: &Content) -> io::Result<FileStat> {
        if let DiskState::Directory = self.work_tree.read_state(path)? {
            self.remove_empty_dirs(path)?;
        }
        self.make_parents(path)?;
        let undo = self.undo_of(path)?.unwrap_or_else(|| Undo::RemoveFile(path.clone()));
        self.work_tree.replace(path, content, None)?;
        self.undo.push(undo);
        Ok(FileStat::of(&self.work_tree.root.symlink_metadata(path.to_os())?))
    }

    /// How to restore the file at this path; None when there is none.
    fn undo_of(&self, path: &RepoPath) -> io::Result<Option<Undo>> {
        let root = &self.work_tree.root;
        let content = match self.work_tree.read_state(path)? {
            DiskState::File(stat) => Content::File { bytes: root.read(path.to_os())?, permissions: stat.mode & 0o7777 },
            DiskState::Link(target, _) => Content::Link(target),
            DiskState::Nothing | DiskState::Directory | DiskState::Other => return Ok(None),
        };
        let modified = root.symlink_metadata(path.to_os())?.modified()?.into_std();
        Ok(Some(Undo::RestoreFile(path.clone(), content, modified)))
    }

    fn make_parents(&mut self, path: &RepoPath) -> io::Result<()> {
        for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let dir = RepoPath::new(&path.as_bytes()[..slash]);
            match self.work_tree.root.create_dir(dir.to_os()) {
                Ok(()) => self.undo.push(Undo::RemoveDir(dir)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn remove_empty_dirs(&mut self, dir: &RepoPath) -> io::Result<()> {
        for path in self.work_tree.list(dir)? {
            self.remove_empty_dirs(&path)?;
        }
        self.remove_dir(dir)
    }

    fn remove_dir(&mut self, dir: &RepoPath) -> io::Result<()> {
        let permissions = self.work_tree.root.symlink_metadata(dir.to_os())?.permissions();
        self.work_tree.root.remove_dir(dir.to_os())?;
        self.undo.push(Undo::RestoreDir(dir.clone(), permissions));
        Ok(())
    }

    fn remove_empty_parents(&mut self, path: &RepoPath) -> io::Result<()> {
        let bytes = path.as_bytes();
        for slash in (0..bytes.len()).rev().filter(|at| bytes[*at] == b'/') {
            let dir = RepoPath::new(&bytes[..slash]);
            match self.work_tree.read_state(&dir)? {
                DiskState::Directory if self.work_tree.list(&dir)?.is_empty() => self.remove_dir(&dir)?,
                DiskState::Nothing => {}
                DiskState::File(_) | DiskState::Link(..) | DiskState::Directory | DiskState::Other => return Ok(()),
            }
        }
        Ok(())
    }

    /// Undoes every step, the last first. Returns `cause`, with the paths that could not be restored.
    pub fn roll_back(&mut self, cause: Error) -> Error {
        let root = &self.work_tree.root;
        let mut lost = Vec::new();
        while let Some(undo) = self.undo.pop() {
            let (path, undone) = match &undo {
                Undo::RemoveFile(path) => (path, root.remove_file(path.to_os())),
                Undo::RestoreFile(path, content, modified) => {
                    (path, self.work_tree.replace(path, content, Some(*modified)))
                }
                Undo::RemoveDir(path) => (path, root.remove_dir(path.to_os())),
                Undo::RestoreDir(path, permissions) => {
                    let made = root.create_dir(path.to_os());
                    (path, made.and_then(|()| root.set_permissions(path.to_os(), permissions.clone())))
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
                    format!("the change failed midway, and could not be undone at {}", lost.join(", ")),
                )
                .hint("git has these files as they were: git restore PATH"),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::change::{FileMode, Oid, TreeEntry};

    #[test]
    fn what_fails_midway_is_undone() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        std::fs::create_dir(at("gone")).unwrap();
        for path in ["edit", "gone/file", "saved"] {
            std::fs::write(at(path), path).unwrap();
        }
        let modified = |path: &str| std::fs::metadata(at(path)).unwrap().modified().unwrap();
        let before = ["edit", "gone/file"].map(modified);
        let mut transaction = Transaction::begin(dir.path()).unwrap();
        let (mut touched, mut seen, mut contents) = (Vec::new(), HashMap::new(), HashMap::new());
        for (path, stays) in [("edit", true), ("gone/file", false), ("new/deep", true), ("saved", true)] {
            let path = RepoPath::from(path);
            let entry = TreeEntry { oid: Oid::ZERO_SHA1, mode: FileMode::File };
            touched.push(Difference { path: path.clone(), before: None, after: stays.then_some(entry) });
            let Ok(DiskState::File(stat)) = transaction.work_tree().state(&path) else {
                seen.insert(path.clone(), None);
                contents.insert(path, Content::Link(b"nowhere".to_vec()));
                continue;
            };
            seen.insert(path.clone(), Some(stat));
            contents.insert(path, Content::File { bytes: b"new".to_vec(), permissions: 0o755 });
        }
        std::fs::write(at("saved"), "by another process, meanwhile").unwrap();
        let error = transaction.apply(&touched, &seen, contents).unwrap_err();
        let error = transaction.roll_back(error).to_string();
        assert!(error.contains("saved changed while"), "{error}");
        assert_eq!(std::fs::read(at("edit")).unwrap(), b"edit");
        assert_eq!(std::fs::read(at("gone/file")).unwrap(), b"gone/file");
        assert_eq!(std::fs::read(at("saved")).unwrap(), b"by another process, meanwhile");
        assert_eq!(["edit", "gone/file"].map(modified), before);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
