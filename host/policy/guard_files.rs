//! Reads components that lie in the repository: from a commit, or from the work tree.

use std::path::{Path, PathBuf};

use crate::config::Digest;
use guardhost_core::change::{FileMode, Objects, Oid, RepoPath};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_os::os_str;

pub enum GuardFiles<'a> {
    /// The base commit, to judge a change: a change must not edit what judges it.
    Base { repo: &'a Repo, tree: Oid, rules: RulesOrigin },
    /// The work tree, for commands that maintain the guard set.
    WorkTree(PathBuf),
}

/// Where the rules come from that name a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesOrigin {
    /// The base commit.
    Base,
    /// A file that the user names (`--config`).
    Given,
}

/// A path of a pin as git has it: without `./`, and with `a/../` resolved. What leads out of the repository is no path of it.
pub fn in_repository(path: &str) -> RepoPath {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    RepoPath::from(parts.join("/").as_str())
}

/// The first part of a path of a tree, or the whole of it, that is a symbolic link: what it leads to is neither protected nor pinned.
pub fn through_link(objects: &dyn Objects, tree: Oid, path: &RepoPath) -> Result<Option<RepoPath>> {
    let ends = path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    for end in ends.chain([path.as_bytes().len()]) {
        let part = RepoPath::new(&path.as_bytes()[..end]);
        if objects.entry(tree, &part)?.is_some_and(|entry| entry.mode == FileMode::Symlink) {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

impl GuardFiles<'_> {
    /// None when there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<Component>> {
        match self {
            GuardFiles::Base { repo, tree, .. } => {
                let (objects, path) = (repo.store(), in_repository(path));
                if let Some(link) = through_link(&*objects, *tree, &path)? {
                    return Err(linked(&path, &link));
                }
                let entry = objects.entry(*tree, &path)?;
                Ok(entry.map(|entry| objects.blob(entry.oid)).transpose()?.map(Component::from))
            }
            GuardFiles::WorkTree(root) => {
                let inside = in_repository(path);
                if let Some(link) = link_on_disk(root, &inside) {
                    return Err(linked(&inside, &link));
                }
                on_disk(&root.join(path))
            }
        }
    }

    /// Like [`GuardFiles::read`], but falls back to the disk for a file that the commit does not have, such as a build product: if a
    /// digest is known that it must have, or if the user names the rules. Otherwise whatever lies there would judge.
    pub fn read_or_on_disk(&self, path: &str, digest: Option<&Digest>) -> Result<Option<Component>> {
        match (self.read(path)?, self) {
            (None, GuardFiles::Base { repo, rules, .. }) if digest.is_some() || *rules == RulesOrigin::Given => {
                on_disk(&repo.workdir().unwrap_or(repo.git_dir()).join(path))
            }
            (found, _) => Ok(found),
        }
    }
}

/// As [`through_link`], of a work tree. None for a path that leads out of it.
fn link_on_disk(root: &Path, path: &RepoPath) -> Option<RepoPath> {
    let mut at = root.to_path_buf();
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.parts() {
        parts.push(part);
        at.push(os_str(part));
        if part == b".." {
            return None;
        }
        if at.is_symlink() {
            return Some(RepoPath::new(parts.join(&b'/')));
        }
    }
    None
}

fn linked(path: &RepoPath, link: &RepoPath) -> Error {
    let what = format!("the component {path} is reached through a symbolic link, {link}");
    Error::from(Fault::new(FaultKind::GuardLoad, what).hint("name the file itself in guards.toml, or put it there"))
}

fn on_disk(path: &Path) -> Result<Option<Component>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes.into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let what = format!("cannot read the component {}", path.display());
            Err(Error::new(error).context(Fault::new(FaultKind::GuardLoad, what)))
        }
    }
}
