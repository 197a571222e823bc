//! Reads components that lie in the repository: from a commit, or from the work tree.

use std::path::{Path, PathBuf};

use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};
use guardhost_git::Repo;

pub enum GuardFiles<'a> {
    /// The base commit, to judge a change: a change must not edit what judges it.
    Base { repo: &'a Repo, tree: Oid },
    /// The work tree, for commands that maintain the guard set.
    WorkTree(PathBuf),
}

impl GuardFiles<'_> {
    /// None when there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<Component>> {
        match self {
            GuardFiles::Base { repo, tree } => {
                let objects = repo.store();
                let inside = RepoPath::from(path.trim_start_matches("./"));
                let entry = objects.entry(*tree, &inside)?;
                Ok(entry.map(|entry| objects.blob(entry.oid)).transpose()?.map(Component::from))
            }
            GuardFiles::WorkTree(root) => on_disk(&root.join(path)),
        }
    }

    /// Like [`GuardFiles::read`], but falls back to the disk for a file that the commit does not have, such as a build product.
    pub fn read_or_on_disk(&self, path: &str) -> Result<Option<Component>> {
        match (self.read(path)?, self) {
            (None, GuardFiles::Base { repo, .. }) => on_disk(&repo.workdir().unwrap_or(repo.git_dir()).join(path)),
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
