//! A change that is placed: two trees and what differs between them, on git objects in memory.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Note, RepoPath};
use crate::error::Result;

pub use git2::Oid;

/// What a tree entry is, as git's modes say.
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
    /// Git's number, such as 0o100644.
    pub fn raw(self) -> u32 {
        match self {
            FileMode::File => 0o100644,
            FileMode::Executable => 0o100755,
            FileMode::Symlink => 0o120000,
            FileMode::Submodule => 0o160000,
        }
    }

    /// None for directories and for numbers that git does not write. 0o100664 of old trees counts as a plain file.
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

/// A repository's objects. What is put here stays in memory until the candidate is settled: a refused change leaves
/// no object behind. Safe to share between the threads that run guards.
pub trait Objects: Send + Sync {
    /// The bytes of a blob, in memory or in the repository.
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>>;

    /// Size of a blob in bytes, without reading it.
    fn blob_size(&self, oid: Oid) -> Result<u64>;

    /// The file at `path`; None when nothing stands there, or a directory does.
    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>>;

    /// Whether a directory stands at `path`; the empty path is the root.
    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool>;

    /// The one blob whose id begins with `prefix` (hex, seven digits or more); None when there is none, or several.
    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>>;

    /// Every file of the tree, in the order of git (bytes of the path, directories as if they ended in `/`), until
    /// `visit` returns false.
    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()>;

    /// Keep bytes in memory under their id.
    fn put_blob(&self, bytes: &[u8]) -> Result<Oid>;

    /// The tree that `tree` becomes with these entries set, or removed (None); kept in memory. A later edit of the same path
    /// wins. Setting a path below an existing file, or at an existing directory, is an error.
    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid>;
}

/// A root tree and where to find its objects.
#[derive(Clone)]
pub struct Tree {
    pub objects: Arc<dyn Objects>,
    pub oid: Oid,
}

/// A change that is placed and can be judged and committed: `base` with `files` changed is `tree`.
#[derive(Clone)]
pub struct Candidate {
    /// The commit that it stands on; None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree of `base` (the empty tree without one).
    pub base_tree: Oid,
    /// The tree that would be committed.
    pub tree: Oid,
    /// Sorted by the bytes of the path; from `apply` empty only when the strategy is [`Strategy::AlreadyApplied`].
    pub files: Vec<FileChange>,
    /// The weakest of the ways in which a hunk was placed; None when nothing had to be placed (index, range).
    pub strategy: Option<Strategy>,
    /// What was mended from the reply to here.
    pub notes: Vec<Note>,
    /// A commit message that the reply carried.
    pub message: Option<String>,
    pub objects: Arc<dyn Objects>,
}

impl Candidate {
    /// The summary that records and reports show.
    pub fn touched(&self) -> Vec<Touched> {
        self.files.iter().map(FileChange::touched).collect()
    }
}

/// How a patch was placed, best first; of several hunks the last in this order that was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// At the line that the header names, byte for byte.
    Exact,
    /// The whole content was given.
    WholeFile,
    /// Byte for byte, at the only place where it fits, not the line that was named.
    Offset,
    /// The header's counts were wrong.
    Recount,
    /// White space at line ends, or tabs in context, differed; or one line of context was misquoted, and the notes say so.
    Whitespace,
    /// Merged from what the provider was shown.
    ThreeWay,
    /// The file already holds what the patch wants; nothing changed.
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
    /// Where a renamed or copied file came from.
    pub old_path: Option<RepoPath>,
    pub change_type: ChangeType,
    /// None when added.
    pub before: Option<Blob>,
    /// None when deleted.
    pub after: Option<Blob>,
    pub lines_added: u32,
    pub lines_deleted: u32,
}

impl FileChange {
    pub fn touched(&self) -> Touched {
        Touched {
            path: self.path.clone(),
            old_path: self.old_path.clone(),
            change_type: self.change_type,
            lines_added: self.lines_added,
            lines_deleted: self.lines_deleted,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    Add,
    Modify,
    Delete,
    Rename,
    Copy,
}

/// A touched file as records and reports show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    pub path: RepoPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<RepoPath>,
    pub change_type: ChangeType,
    pub lines_added: u32,
    pub lines_deleted: u32,
}
