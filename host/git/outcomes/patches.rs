//! What a change does to lines, whatever stands around them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use git2::{Delta, Diff, DiffOptions, ErrorCode, ObjectType, Repository, Tree};

use super::failed;
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

/// Files of a change above which its lines are not compared: nobody wrote so many at once.
pub const FILES: usize = 2_000;
/// A line with fewer letters and digits stands in many places.
const LETTERS: usize = 4;

/// The two trees of a change.
#[derive(Clone, Copy)]
pub struct TreePair {
    pub old: Option<Oid>,
    pub new: Oid,
}

impl TreePair {
    /// Of the commit against its first parent.
    pub fn from_commit(repo: &Repository, oid: Oid) -> Result<Self> {
        let commit = super::main_line::find(repo, oid)?;
        let old = commit.parents().next().map(|parent| parent.tree_id());
        Ok(TreePair { old, new: commit.tree_id() })
    }

    /// From one commit to another.
    pub fn between(repo: &Repository, base: Option<Oid>, tip: Oid) -> Result<Self> {
        let old = base.map(|base| super::main_line::find(repo, base).map(|commit| commit.tree_id())).transpose()?;
        Ok(TreePair { old, new: super::main_line::find(repo, tip)?.tree_id() })
    }

    fn diff<'r>(self, repo: &'r Repository, is_back: bool) -> Result<Diff<'r>> {
        self.diff_with(repo, is_back, &mut options())
    }

    fn diff_with<'r>(self, repo: &'r Repository, is_back: bool, options: &mut DiffOptions) -> Result<Diff<'r>> {
        let failed = |cause| failed("cannot compare two trees", cause);
        let old = self.old.map(|old| repo.find_tree(old)).transpose().map_err(failed)?;
        let new = repo.find_tree(self.new).map_err(failed)?;
        let (old, new): (Option<&Tree<'_>>, Option<&Tree<'_>>) =
            if is_back { (Some(&new), old.as_ref()) } else { (old.as_ref(), Some(&new)) };
        repo.diff_tree_to_tree(old, new, Some(options)).map_err(failed)
    }

    /// The files that it changes.
    pub fn paths(self, repo: &Repository) -> Result<Vec<RepoPath>> {
        let diff = self.diff(repo, false)?;
        let paths = diff.deltas().filter_map(|delta| {
            let file = if delta.status() == Delta::Deleted { delta.old_file() } else { delta.new_file() };
            file.path_bytes().map(RepoPath::new)
        });
        Ok(paths.collect())
    }

    /// Equal for changes that take and add the same lines of the same files, wherever these stand. None: it is empty, too large, or not whole in this
    /// clone.
    pub fn patch_id(self, repo: &Repository) -> Result<Option<Oid>> {
        patch_id(&self.diff(repo, false)?)
    }

    /// That of the change that takes this one back.
    pub fn inverse_id(self, repo: &Repository) -> Result<Option<Oid>> {
        patch_id(&self.diff(repo, true)?)
    }

    /// What it does to one file. None: the file is not in this clone.
    pub fn lines(self, repo: &Repository, path: &RepoPath) -> Result<Option<ChangedLines>> {
        let mut options = options();
        options.disable_pathspec_match(true).pathspec(path.as_bytes());
        let diff = self.diff_with(repo, false, &mut options)?;
        let mut lines = ChangedLines::default();
        let each = &mut |_: git2::DiffDelta<'_>, _: Option<git2::DiffHunk<'_>>, line: git2::DiffLine<'_>| {
            let side = match line.origin() {
                '+' => &mut lines.added,
                '-' => &mut lines.removed,
                _ => return true,
            };
            side.extend(distinct(line.content()));
            true
        };
        let read = diff.foreach(&mut |_, _| true, None, None, Some(each));
        Ok(if_here(read)?.map(|()| lines))
    }
}

/// Lines of a file, each as a hash of what it says without the blanks around it.
#[derive(Default)]
pub struct ChangedLines {
    pub added: HashSet<u64>,
    pub removed: HashSet<u64>,
}

fn options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options.context_lines(1).skip_binary_check(false);
    options
}

fn patch_id(diff: &Diff<'_>) -> Result<Option<Oid>> {
    let files = diff.deltas().len();
    if files == 0 || files > FILES {
        return Ok(None);
    }
    if_here(diff.patchid(None))
}

/// Partial clones lack files, and then nothing is told by them.
fn if_here<T>(read: Result<T, git2::Error>) -> Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(cause) if cause.code() == ErrorCode::NotFound => Ok(None),
        Err(cause) => Err(failed("cannot compare two trees", cause)),
    }
}

fn distinct(line: &[u8]) -> Option<u64> {
    let line = line.trim_ascii();
    let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count();
    (letters >= LETTERS).then(|| hash(&line))
}

/// The same for the same paths, whatever their order, in every build of the host.
pub fn hash_of_paths(paths: &[RepoPath]) -> Result<Oid> {
    let mut names: Vec<&[u8]> = paths.iter().map(RepoPath::as_bytes).collect();
    names.sort_unstable();
    // No path holds such a byte.
    Oid::hash_object(ObjectType::Blob, &names.join(&0)).map_err(|cause| failed("cannot hash paths", cause))
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
