//! A temporary repository, for changes that come from no repository.

use std::path::Path;

use git2::{Repository, RepositoryInitOptions};
use tempfile::TempDir;

use super::repo::empty_tree;
use super::{Repo, candidate, failed};
use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Result};

/// Empty at first, and removed when it is dropped. Its objects stay in memory.
pub struct ScratchRepository {
    repo: Repo,
    // The last field, so that the repository is closed before its folder is removed.
    _folder: TempDir,
}

/// Files with their paths, modes and contents.
pub type ScratchFiles = Vec<(RepoPath, FileMode, Vec<u8>)>;

impl ScratchRepository {
    /// The folder of the repository is made in `temp`.
    pub fn new(temp: &Path) -> Result<Self> {
        let folder = TempDir::new_in(temp).with_context(|| format!("cannot make a folder in {}", temp.display()))?;
        let mut options = RepositoryInitOptions::new();
        options.bare(true).external_template(false);
        Repository::init_opts(folder.path(), &options)
            .map_err(|cause| failed("cannot make a temporary repository", cause))?;
        Ok(ScratchRepository { repo: Repo::open(folder.path())?, _folder: folder })
    }

    /// The change from one set of files to the other, with renames detected. Errors: a file and a folder of one name, a path that git
    /// does not allow.
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
