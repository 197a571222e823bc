//! Where the files of a guard set are read.

use std::path::{Path, PathBuf};

use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};
use guardhost_git::Repo;

pub enum GuardFiles<'a> {
    /// A base commit: what a change edits must not judge it.
    Base { repo: &'a Repo, tree: Oid },
    /// What is not committed yet, for those who keep the rules.
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

    /// The same, or a file that no commit holds: tools that a build puts there.
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
