//! Reads components that lie in the repository: from a commit, or from the work tree.

use std::path::{Path, PathBuf};

use crate::config::Digest;
use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};
use guardhost_git::Repo;

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

impl GuardFiles<'_> {
    /// None when there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<Component>> {
        match self {
            GuardFiles::Base { repo, tree, .. } => {
                let objects = repo.store();
                let entry = objects.entry(*tree, &in_repository(path))?;
                Ok(entry.map(|entry| objects.blob(entry.oid)).transpose()?.map(Component::from))
            }
            GuardFiles::WorkTree(root) => on_disk(&root.join(path)),
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

fn on_disk(path: &Path) -> Result<Option<Component>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes.into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let what = format!("cannot read the guard {}", path.display());
            Err(Error::new(error).context(Fault::new(Kind::GuardLoad, what)))
        }
    }
}
