//! A placed change: two trees and the files that differ between them, as git objects in memory.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CommitInfo, Note, RepoPath};
use crate::error::Result;

pub use git2::Oid;

/// The kind of a tree entry, from git's modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileMode {
    File,
    Executable,
    /// The blob holds the link's target.
    Symlink,
    /// A gitlink: `oid` is a commit of another repository, and has no bytes here.
    Submodule,
}

impl FileMode {
    /// Git's mode, such as 0o100644.
    pub fn raw(self) -> u32 {
        match self {
            FileMode::File => 0o100644,
            FileMode::Executable => 0o100755,
            FileMode::Symlink => 0o120000,
            FileMode::Submodule => 0o160000,
        }
    }

    /// None for directories and for modes that git does not write. Old trees have other permissions, such as 0o100664: a plain file.
    pub fn from_raw(raw: u32) -> Option<Self> {
        match raw {
            0o100644 | 0o100664 | 0o100640 | 0o100600 => Some(FileMode::File),
            0o100755 => Some(FileMode::Executable),
            0o120000 => Some(FileMode::Symlink),
            0o160000 => Some(FileMode::Submodule),
            _ => None,
        }
    }
}

/// A file's entry in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeEntry {
    pub oid: Oid,
    pub mode: FileMode,
}

/// The objects of a repository. New objects stay in memory until the candidate is settled, so that a refused change leaves
/// none behind. Shared between the threads that run guards.
pub trait Objects: Send + Sync {
    /// The bytes of a blob, in memory or in the repository.
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>>;

    /// Size of a blob in bytes, without reading it.
    fn blob_size(&self, oid: Oid) -> Result<u64>;

    /// The file at `path`; None when there is none, or a directory.
    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>>;

    /// Whether there is a directory at `path`; the empty path is the root.
    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool>;

    /// The only blob whose id begins with `prefix` (hex, at least seven digits); None when there is none, or more than one.
    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>>;

    /// Visits every file of the tree in git's order (by the bytes of the path, directories as if they ended in `/`), until
    /// `visit` returns false.
    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()>;

    /// The names in the directory `dir`, in any order; the empty path is the root. None where there is no directory.
    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>>;

    /// Lines added and deleted between two contents, as `git diff --numstat` counts them; none for binary content.
    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)>;

    /// Adds a blob in memory and returns its id.
    fn put_blob(&self, bytes: &[u8]) -> Result<Oid>;

    /// A new tree in memory: `tree` with these entries set, or removed (None). Of two edits of a path the later wins.
    ///
    /// # Errors
    /// When a path is set below an existing file, or where a directory is.
    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid>;
}

/// A root tree and its objects.
#[derive(Clone)]
pub struct Tree {
    pub objects: Arc<dyn Objects>,
    pub oid: Oid,
}

/// A placed change that can be judged and committed: `base` with `files` changed is `tree`.
#[derive(Clone)]
pub struct Candidate {
    /// The parent commit; None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree of `base` (the empty tree without one).
    pub base_tree: Oid,
    /// The tree that would be committed.
    pub tree: Oid,
    /// Sorted by the bytes of the path; from `apply` empty only when the strategy is [`Strategy::AlreadyApplied`].
    pub files: Vec<FileChange>,
    /// The weakest strategy that any hunk needed; None when nothing was placed (index, range).
    pub strategy: Option<Strategy>,
    /// Repairs from the reply to this candidate.
    pub notes: Vec<Note>,
    /// The commit message from the reply, if it had one.
    pub message: Option<String>,
    /// The commits that make the change, oldest first; empty when they are not made yet.
    pub commits: Vec<CommitInfo>,
    pub objects: Arc<dyn Objects>,
}

impl Candidate {
    /// The files as records and reports show them. Counts lines, which costs more than to make the candidate.
    ///
    /// # Errors
    /// When the repository's objects cannot be read.
    pub fn touched(&self) -> Result<Vec<Touched>> {
        self.files.iter().map(|file| file.touched(&*self.objects)).collect()
    }
}

/// Best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "strategy")]
pub enum Strategy {
    /// Byte for byte, at the line that the hunk header names.
    Exact,
    WholeFile,
    /// Byte for byte, at another line.
    Offset,
    /// The header's counts were wrong.
    Recount,
    /// White space or one context line differed.
    Whitespace,
    /// Merged from the content that the provider saw.
    ThreeWay,
    /// Nothing was edited.
    AlreadyApplied,
}

/// One side of a touched file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    pub oid: Oid,
    pub mode: FileMode,
    /// Bytes; 0 for a submodule.
    pub size: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: RepoPath,
    /// The source of a rename or copy.
    pub old_path: Option<RepoPath>,
    pub change_type: ChangeType,
    /// None when added.
    pub before: Option<Blob>,
    /// None when deleted.
    pub after: Option<Blob>,
}

/// Lines of larger files are not counted, in bytes: the number is only for a summary.
const MAX_COUNTED: u64 = 8 << 20;

impl FileChange {
    fn touched(&self, objects: &dyn Objects) -> Result<Touched> {
        let (lines_added, lines_deleted) = self.changed_lines(objects)?;
        Ok(Touched {
            path: self.path.clone(),
            old_path: self.old_path.clone(),
            change_type: self.change_type,
            lines_added,
            lines_deleted,
        })
    }

    /// Added and deleted; 0 for binary and large files.
    fn changed_lines(&self, objects: &dyn Objects) -> Result<(u32, u32)> {
        let is_large = |blob: &Blob| blob.size > MAX_COUNTED;
        let oid = |side: Option<Blob>| side.map(|blob| blob.oid);
        if oid(self.before) == oid(self.after) || self.before.iter().chain(&self.after).any(is_large) {
            return Ok((0, 0));
        }
        objects.changed_lines(&self.compared(objects, self.before)?, &self.compared(objects, self.after)?)
    }

    /// The bytes that git compares. For a submodule that is one line with its commit.
    fn compared(&self, objects: &dyn Objects, side: Option<Blob>) -> Result<Arc<[u8]>> {
        match side {
            None => Ok(Arc::from([])),
            Some(Blob { oid, mode: FileMode::Submodule, .. }) => {
                Ok(format!("Subproject commit {oid}\n").into_bytes().into())
            }
            Some(Blob { oid, .. }) => objects.blob(oid),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "changeType")]
pub enum ChangeType {
    Add,
    Modify,
    Delete,
    Rename,
    Copy,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "touched")]
pub struct Touched {
    pub path: RepoPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<RepoPath>,
    pub change_type: ChangeType,
    pub lines_added: u32,
    pub lines_deleted: u32,
}
