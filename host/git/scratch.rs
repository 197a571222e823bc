//! A repository that nobody else sees, for changes that come from no repository.

use std::path::Path;

use git2::{Repository, RepositoryInitOptions};
use tempfile::TempDir;

use super::repo::empty_tree;
use super::{Repo, candidate, failed};
use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Result};

/// Empty; gone when it is dropped. What is put into it stays in memory.
pub struct Scratch {
    repo: Repo,
    // Last, so that the repository is closed before its folder goes.
    _folder: TempDir,
}

/// ScratchFiles by path.
pub type ScratchFiles = Vec<(RepoPath, FileMode, Vec<u8>)>;

impl Scratch {
    /// `temp` is where temporary folders go.
    pub fn new(temp: &Path) -> Result<Self> {
        let folder = TempDir::new_in(temp).with_context(|| format!("cannot make a folder in {}", temp.display()))?;
        let mut options = RepositoryInitOptions::new();
        options.bare(true).external_template(false);
        Repository::init_opts(folder.path(), &options)
            .map_err(|cause| failed("cannot make a repository for cases", cause))?;
        Ok(Scratch { repo: Repo::open(folder.path())?, _folder: folder })
    }

    /// The change from one set of files to the other, renames found as in any repository. Errors: a file and a folder of one
    /// name, a path that git does not hold.
    pub fn candidate(&self, before: &ScratchFiles, after: &ScratchFiles) -> Result<Candidate> {
        candidate(&self.repo, None, self.tree(before)?, self.tree(after)?)
    }

    fn tree(&self, files: &ScratchFiles) -> Result<Oid> {
        let store = self.repo.store();
        let edit = |(path, mode, bytes): &(RepoPath, FileMode, Vec<u8>)| {
            Ok((path.clone(), Some(TreeEntry { oid: store.put_blob(bytes)?, mode: *mode })))
        };
        let edits = files.iter().map(edit).collect::<Result<Vec<_>>>()?;
        store.edit_tree(empty_tree()?, &edits)
    }
}
