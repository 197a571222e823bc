//! An opened repository: its folders, and what its HEAD and revisions name.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use git2::{ErrorCode, ObjectType, Repository};
use guardhost_os::{Private, make_private};

use super::{FetchObjects, Store, failed, open};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// A git repository of any shape: with a work tree, bare, a linked worktree, shallow, without commits.
pub struct Repo {
    dir: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    workdir: Option<PathBuf>,
    store: Arc<Store>,
    /// A second handle, which writes objects to disk. Opened when it is needed first; most runs never need it.
    disk: Mutex<Option<Repository>>,
}

/// What HEAD names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// None in a repository without commits.
    pub commit: Option<Oid>,
    /// The empty tree without a commit.
    pub tree: Oid,
    /// Short name of the branch that HEAD names, even if it has no commit yet; None when detached.
    pub branch: Option<String>,
    pub detached: bool,
}

impl Repo {
    /// Opens the repository that `dir` is in. Errors are of [`FaultKind::Git`] and say what to do.
    pub fn open(dir: &Path) -> Result<Self> {
        let handle = open::open(dir)?;
        Ok(Repo {
            dir: dir.to_path_buf(),
            git_dir: handle.path().to_path_buf(),
            common_dir: handle.commondir().to_path_buf(),
            workdir: handle.workdir().map(Path::to_path_buf),
            store: Arc::new(Store::new(handle)?),
            disk: Mutex::new(None),
        })
    }

    /// The same repository, with objects in memory of its own.
    pub fn again(&self) -> Result<Self> {
        let again = Repo::open(&self.dir)?;
        Ok(match self.store.missing().fetcher() {
            Some(fetch) => again.fetching(fetch),
            None => again,
        })
    }

    /// In a partial clone, brings what is missing by `fetch` when it is read. Without it, the error says that it is missing.
    #[must_use]
    pub fn fetching(mut self, fetch: Arc<FetchObjects>) -> Self {
        // Nobody else has it yet.
        if let Some(store) = Arc::get_mut(&mut self.store) {
            store.missing_mut().set(fetch);
        }
        self
    }

    /// The work tree's root; None when bare.
    pub fn workdir(&self) -> Option<&Path> {
        self.workdir.as_deref()
    }

    /// This work tree's own git directory: where its HEAD and index are.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git directory that all worktrees share: where objects and branches are.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    pub fn is_bare(&self) -> bool {
        self.workdir.is_none()
    }

    /// The repository's objects, and new ones, which stay in memory.
    pub fn store(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }

    /// The folder for Guardhost's own files in this repository. It may not exist yet.
    pub fn state_path(&self) -> PathBuf {
        self.common_dir.join("guardhost")
    }

    /// The same folder, created if it is missing. Only the user can read it, since it holds replies of models.
    pub fn state_dir(&self) -> Result<PathBuf> {
        private_dir(self.state_path())
    }

    /// The folder for what concerns this work tree alone: the same, but for linked work trees.
    pub(super) fn work_tree_state_path(&self) -> PathBuf {
        self.git_dir.join("guardhost")
    }

    pub(super) fn work_tree_state_dir(&self) -> Result<PathBuf> {
        private_dir(self.work_tree_state_path())
    }

    /// The index: the one that the environment names (`GIT_INDEX_FILE`; relative to the root of the work tree, as git reads it),
    /// else the repository's own, which need not exist.
    ///
    /// Errors ([`FaultKind::Git`]): a named index that does not exist. For git it would be an empty one: the deletion of every file.
    pub fn index_path(&self, named: Option<&Path>) -> Result<PathBuf> {
        let own = self.git_dir.join("index");
        let Some(named) = named else { return Ok(own) };
        let path = self.workdir().unwrap_or(&self.dir).join(named);
        let exists = path.try_exists().with_context(|| format!("cannot look at {}", path.display()))?;
        if exists || path == own {
            return Ok(path);
        }
        Err(Fault::new(FaultKind::Git, format!("there is no index at {}, which GIT_INDEX_FILE names", path.display()))
            .hint("a relative path starts at the root of the work tree; or unset GIT_INDEX_FILE")
            .code("index-missing")
            .into())
    }

    pub fn head(&self) -> Result<Head> {
        let repo = self.store.handle();
        let reference = match repo.head() {
            Ok(reference) => reference,
            Err(error) if error.code() == ErrorCode::UnbornBranch => {
                let head = repo.find_reference("HEAD").map_err(|cause| failed("cannot read HEAD", cause))?;
                let branch =
                    head.symbolic_target_bytes().map(|name| short(name.strip_prefix(b"refs/heads/").unwrap_or(name)));
                return Ok(Head { commit: None, tree: empty_tree()?, branch, detached: false });
            }
            Err(cause) => return Err(failed("cannot read HEAD", cause)),
        };
        let commit = reference.peel_to_commit().map_err(|cause| failed("HEAD names no commit", cause))?;
        let branch = reference.is_branch().then(|| short(reference.shorthand_bytes()));
        Ok(Head { commit: Some(commit.id()), tree: commit.tree_id(), detached: branch.is_none(), branch })
    }

    /// The tree without entries.
    pub fn empty_tree(&self) -> Result<Oid> {
        empty_tree()
    }

    /// A commit's tree.
    pub fn tree_of(&self, commit: Oid) -> Result<Oid> {
        let tree = self.store.handle().find_commit(commit).map(|commit| commit.tree_id());
        tree.map_err(|cause| failed(format!("cannot read commit {commit}"), cause))
    }

    /// The id and mode of what lies at a path of a tree, a file or a folder; None where there is nothing.
    pub fn object_in(&self, tree: Oid, path: &RepoPath) -> Result<Option<(Oid, i32)>> {
        let failed = |cause| failed(format!("cannot read the tree {tree}"), cause);
        let handle = self.store.handle();
        let tree = handle.find_tree(tree).map_err(failed)?;
        match tree.get_path(std::path::Path::new(&path.to_os())) {
            Ok(entry) => Ok(Some((entry.id(), entry.filemode()))),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(cause) => Err(failed(cause)),
        }
    }

    /// The commit that a revision names, in any of git's spellings; a tag is followed to its commit.
    ///
    /// Errors are of [`FaultKind::Usage`]: the user gave the revision. In a shallow clone a revision that is not found is of [`FaultKind::Git`]: it may
    /// be right, and beyond what was fetched. A short name that stands for refs with different commits is one too: git takes the tag, and whoever
    /// may push a tag `origin/main` would choose what a change is compared with.
    pub fn resolve(&self, revision: &str) -> Result<Oid> {
        let repo = self.store.handle();
        if let Some(refs) = crate::ambiguous::refs(&repo, revision) {
            let what = format!("`{revision}` means different commits: {}", refs.join(", "));
            return Err(Fault::new(FaultKind::Usage, what).hint("write the full name of the one that you mean").into());
        }
        let fault = |why| Fault::new(FaultKind::Usage, format!("{why}: `{revision}`"));
        let object = repo.revparse_single(revision).map_err(|cause| match cause.code() {
            ErrorCode::NotFound if repo.is_shallow() => {
                let what = format!("no such revision in this shallow clone: `{revision}`");
                let hint = "its history may be cut off before: git fetch --deepen=N, or git fetch --unshallow";
                crate::without_class(&cause).context(Fault::new(FaultKind::Git, what).hint(hint))
            }
            ErrorCode::Ambiguous => crate::without_class(&cause).context(fault("more than one object has this name")),
            _ => crate::without_class(&cause).context(fault("no such revision")),
        })?;
        let commit = object.peel(ObjectType::Commit).with_context(|| fault("not a commit"))?;
        Ok(commit.id())
    }

    /// A new handle, which does not see the objects in memory.
    pub(super) fn open_handle(&self) -> Result<Repository> {
        open::open(&self.dir)
    }

    /// Runs `work` on a handle that writes to disk.
    pub(super) fn on_disk<T>(&self, work: impl FnOnce(&Repository) -> Result<T>) -> Result<T> {
        let mut disk = unpoisoned(&self.disk);
        let repo = match &mut *disk {
            Some(repo) => repo,
            none => none.insert(self.open_handle()?),
        };
        work(repo)
    }
}

/// Creates the folder if it is missing. Only the user can read it.
fn private_dir(dir: PathBuf) -> Result<PathBuf> {
    let made = fs::DirBuilder::new().recursive(true).private().create(&dir);
    made.and_then(|()| make_private(&dir)).with_context(|| {
        Fault::new(FaultKind::Git, format!("cannot create {} with access for the user alone", dir.display()))
    })?;
    Ok(dir)
}

/// Locks, also after a panic: libgit2's handles hold no state that a panic between two calls could break.
pub(super) fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tree without entries. Every repository knows it without storing it.
pub(super) fn empty_tree() -> Result<Oid> {
    Oid::hash_object(ObjectType::Tree, b"").context("cannot hash the empty tree")
}

fn short(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
