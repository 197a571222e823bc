//! The change in the work tree, as a candidate.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use git2::{Delta, Diff, DiffDelta, DiffOptions, Repository};
use guardhost_os::{is_executable_by_owner, slashed};

use super::attributes::{trusts_modes, unsupported_conversion};
use super::candidate::candidate;
use super::checkout::is_staging_name;
use super::{Repo, failed, tree};
use guardhost_core::change::{Candidate, FileMode, Note, Objects, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// The most that all files that differ may have together, in bytes: they are held in memory.
const MAX_TOTAL: u64 = 256 << 20;

/// Extended flag of an index entry: the file is left out of a sparse work tree.
const SKIP_WORKTREE: u16 = 1 << 14;

/// What `git add --all` and `git commit` would commit now: the difference between HEAD and the work tree, untracked files
/// that are not ignored included. What is staged does not matter, and nothing is staged.
///
/// Left out, and noted: submodules, repositories within this one, and files that a filter program converts (git-lfs).
///
/// Errors ([`FaultKind::Git`]): a bare repository, an index that libgit2 cannot read, more than 256 MiB of difference.
pub fn worktree(repo: &Repo) -> Result<Candidate> {
    let Some(workdir) = repo.workdir() else {
        return Err(Fault::new(FaultKind::Git, "a bare repository has no work tree").into());
    };
    let head = repo.head()?;
    let store = repo.store();
    let WorkTreeEdits { edits, left_out } = {
        let handle = store.handle();
        let head = tree::read(&handle, head.tree)?;
        let diff = diff(&handle, &head)?;
        changes(&handle, workdir, &diff)?
    };
    let tree = store.edit_tree(head.tree, &edits)?;
    let notes = match left_out.is_empty() {
        true => Vec::new(),
        false => vec![Note::new("left-out", format!("not judged: {}", left_out.join(", ")))],
    };
    Ok(Candidate { notes, ..candidate(repo, head.commit, head.tree, tree)? })
}

/// Every path at which HEAD, the index and the work tree are not all equal.
fn diff<'r>(repo: &'r Repository, head: &git2::Tree<'_>) -> Result<Diff<'r>> {
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).include_typechange(true).ignore_submodules(true);
    let found = repo.diff_tree_to_workdir_with_index(Some(head), Some(&mut options));
    found.map_err(|cause| failed("cannot compare the work tree with HEAD", cause))
}

#[derive(Default)]
struct WorkTreeEdits {
    edits: Vec<(RepoPath, Option<TreeEntry>)>,
    left_out: Vec<String>,
}

/// Reads the file at each path. Git's conversion of line endings applies, as with `git add`.
fn changes(repo: &Repository, workdir: &Path, diff: &Diff<'_>) -> Result<WorkTreeEdits> {
    let index = repo.index().map_err(|cause| failed("cannot read the index", cause))?;
    let trusts_modes = trusts_modes(repo);
    let (mut found, mut total, mut seen) = (WorkTreeEdits::default(), 0, BTreeSet::new());
    for delta in diff.deltas() {
        let path = path(&delta);
        // Files that another host stages: see `place`.
        if path.parts().any(is_staging_name) || !seen.insert(path.clone()) {
            continue;
        }
        if is_repository(&delta, &path) {
            found.left_out.push(format!("{path} (another repository)"));
            continue;
        }
        let data = match metadata_at(workdir, &path).with_context(|| cannot_read(&path))? {
            Some(data) if data.is_file() || data.is_symlink() => data,
            Some(_) => {
                found.edits.push((path, None));
                continue;
            }
            None => {
                let sparse =
                    index.get_path(&path.to_os(), 0).is_some_and(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
                if !sparse {
                    found.edits.push((path, None));
                }
                continue;
            }
        };
        if let Some(why) = unsupported_conversion(repo, &path)? {
            found.left_out.push(format!("{path} ({why})"));
            continue;
        }
        total += data.len();
        if total > MAX_TOTAL {
            let what = format!("the work tree differs from HEAD by more than {} MiB", MAX_TOTAL >> 20);
            return Err(Fault::new(FaultKind::Git, what)
                .hint("add files that are not part of the project to .gitignore")
                .into());
        }
        let file = workdir.join(path.to_os());
        let entry = entry(repo, &file, &data, || match trusts_modes {
            true => is_executable_by_owner(&data),
            false => delta.old_file().mode() == git2::FileMode::BlobExecutable,
        });
        let entry = match entry {
            // Removed since it was listed.
            Err(_) if fs::symlink_metadata(&file).is_err_and(|error| error.kind() == ErrorKind::NotFound) => None,
            entry => Some(entry.with_context(|| cannot_read(&path))?),
        };
        found.edits.push((path, entry));
    }
    Ok(found)
}

fn path(delta: &DiffDelta<'_>) -> RepoPath {
    RepoPath::new(delta.new_file().path_bytes().or(delta.old_file().path_bytes()).unwrap_or_default())
}

/// A submodule, or a nested repository, which libgit2 names with a slash at the end.
fn is_repository(delta: &DiffDelta<'_>, path: &RepoPath) -> bool {
    let submodule = |file: git2::DiffFile<'_>| file.mode() == git2::FileMode::Commit;
    path.as_bytes().ends_with(b"/")
        || submodule(delta.new_file())
        || (submodule(delta.old_file()) && delta.status() != Delta::Deleted)
}

/// What git sees at a path. Below a symbolic link it sees nothing.
fn metadata_at(workdir: &Path, path: &RepoPath) -> io::Result<Option<Metadata>> {
    let metadata = |bytes: &[u8]| match fs::symlink_metadata(workdir.join(RepoPath::new(bytes).to_os())) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        other => other.map(Some),
    };
    let bytes = path.as_bytes();
    for (slash, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        if !metadata(&bytes[..slash])?.is_some_and(|data| data.is_dir()) {
            return Ok(None);
        }
    }
    metadata(bytes)
}

/// The blob stays in memory. libgit2 would follow a link, so its target is read here.
fn entry(repo: &Repository, file: &Path, data: &Metadata, executable: impl Fn() -> bool) -> Result<TreeEntry> {
    if data.is_symlink() {
        let target = fs::read_link(file)?;
        return Ok(TreeEntry { oid: repo.blob(&slashed(&target))?, mode: FileMode::Symlink });
    }
    let mode = if executable() { FileMode::Executable } else { FileMode::File };
    Ok(TreeEntry { oid: repo.blob_path(file)?, mode })
}

fn cannot_read(path: &RepoPath) -> Fault {
    Fault::new(FaultKind::Git, format!("cannot read {path}"))
}
