//! What earlier commits changed, who wrote a line, and what lies between two revisions.

use std::path::Path;

use git2::{BlameOptions, Delta, DiffFindOptions, DiffOptions, Patch, Repository, Sort};

use super::{Repo, failed};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::{Fault, FaultKind, Result};

/// A commit, and what it changed against its first parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCommit {
    pub oid: Oid,
    pub author: String,
    /// Since 1970, of the committer's clock.
    pub seconds: i64,
    /// The first line of its message.
    pub summary: String,
    /// The commit that it says it reverts: 7 to 40 hex digits.
    pub reverts: Option<String>,
    pub touched: Vec<RepoPath>,
}

/// A line of a file in HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedLine {
    /// From 1.
    pub line: u64,
    pub commit: Oid,
}

/// A file that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeChange {
    pub path: RepoPath,
    pub status: &'static str,
    pub added: u64,
    pub removed: u64,
    /// None: not there, or no file.
    pub old: Option<Oid>,
    pub new: Option<Oid>,
}

impl Repo {
    /// At most `limit` commits of HEAD, newest first, of those that changed `path` if one is given; none older than `since` (seconds since
    /// 1970). At most `walk` commits are looked at; true: there were more.
    pub fn past(
        &self,
        path: Option<&RepoPath>,
        since: Option<i64>,
        limit: usize,
        walk: usize,
    ) -> Result<(Vec<PastCommit>, bool)> {
        let Some(head) = self.head()?.commit else { return Ok((Vec::new(), false)) };
        self.on_disk(|repo| {
            past(repo, head, path, since, limit, walk).map_err(|cause| failed("cannot read the history", cause))
        })
    }

    /// One commit.
    pub fn past_commit(&self, oid: Oid) -> Result<PastCommit> {
        self.on_disk(|repo| commit(repo, oid, None).map_err(|cause| failed(format!("cannot read commit {oid}"), cause)))
    }

    /// Who wrote each line of a file in HEAD.
    pub fn blame(&self, path: &RepoPath) -> Result<Vec<BlamedLine>> {
        let head = self.head()?.commit.ok_or_else(|| Fault::new(FaultKind::Usage, "there is no commit"))?;
        self.on_disk(|repo| {
            let mut options = BlameOptions::new();
            options.newest_commit(head);
            let blame = repo.blame_file(Path::new(&path.to_os()), Some(&mut options));
            let blame = blame.map_err(|cause| failed(format!("cannot tell who wrote {path}"), cause))?;
            let mut lines = Vec::new();
            for hunk in blame.iter() {
                let first = hunk.final_start_line() as u64;
                let count = hunk.lines_in_hunk() as u64;
                lines.extend((first..first + count).map(|line| BlamedLine { line, commit: hunk.final_commit_id() }));
            }
            Ok(lines)
        })
    }

    /// The best common ancestor; None without one.
    pub fn merge_base(&self, one: Oid, two: Oid) -> Result<Option<Oid>> {
        self.on_disk(|repo| Ok(repo.merge_base(one, two).ok()))
    }

    /// The files that differ, at most `limit`; true: there were more.
    pub fn changed_files(&self, old: Oid, new: Oid, limit: usize) -> Result<(Vec<TreeChange>, bool)> {
        self.on_disk(|repo| changed(repo, old, new, limit).map_err(|cause| failed("cannot compare two trees", cause)))
    }
}

fn past(
    repo: &Repository,
    head: Oid,
    path: Option<&RepoPath>,
    since: Option<i64>,
    limit: usize,
    walk: usize,
) -> Result<(Vec<PastCommit>, bool), git2::Error> {
    let mut commits = repo.revwalk()?;
    commits.push(head)?;
    commits.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
    let mut found = Vec::new();
    for (number, oid) in commits.enumerate() {
        let oid = oid?;
        if number >= walk || found.len() >= limit {
            return Ok((found, true));
        }
        let past = commit(repo, oid, path)?;
        if since.is_some_and(|since| past.seconds < since) {
            continue;
        }
        if path.is_none() || !past.touched.is_empty() {
            found.push(past);
        }
    }
    Ok((found, false))
}

fn commit(repo: &Repository, oid: Oid, path: Option<&RepoPath>) -> Result<PastCommit, git2::Error> {
    let commit = repo.find_commit(oid)?;
    let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
    let mut touched = Vec::new();
    // A merge changes nothing by itself.
    if commit.parent_count() < 2 {
        let parent = commit.parents().next().map(|parent| parent.tree()).transpose()?;
        let mut options = DiffOptions::new();
        if let Some(path) = path {
            options.disable_pathspec_match(true).pathspec(path.to_os());
        }
        let diff = repo.diff_tree_to_tree(parent.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
        touched.extend(diff.deltas().filter_map(|delta| {
            let file = if delta.status() == Delta::Deleted { delta.old_file() } else { delta.new_file() };
            file.path_bytes().map(RepoPath::new)
        }));
    }
    Ok(PastCommit {
        oid,
        author: String::from_utf8_lossy(commit.author().name_bytes()).into_owned(),
        seconds: commit.time().seconds(),
        summary: message.lines().next().unwrap_or_default().to_owned(),
        reverts: reverted_commit(&message),
        touched,
    })
}

/// The commit that a message says it reverts: 7 to 40 hex digits.
pub(super) fn reverted_commit(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("This reverts commit ")?;
    let hex: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    (7..=40).contains(&hex.len()).then_some(hex)
}

fn changed(repo: &Repository, old: Oid, new: Oid, limit: usize) -> Result<(Vec<TreeChange>, bool), git2::Error> {
    let (old, new) = (repo.find_tree(old)?, repo.find_tree(new)?);
    let mut diff = repo.diff_tree_to_tree(Some(&old), Some(&new), None)?;
    diff.find_similar(Some(DiffFindOptions::new().renames(true)))?;
    let mut files = Vec::new();
    let count = diff.deltas().len();
    for number in 0..count.min(limit) {
        let Some(delta) = diff.get_delta(number) else { continue };
        let patch = Patch::from_diff(&diff, number)?;
        let (added, removed) = match &patch {
            Some(patch) => patch.line_stats().map(|(_, added, removed)| (added as u64, removed as u64))?,
            None => (0, 0),
        };
        let file = if delta.status() == Delta::Deleted { delta.old_file() } else { delta.new_file() };
        let blob = |file: git2::DiffFile<'_>| Some(file.id()).filter(|id| !id.is_zero());
        files.push(TreeChange {
            path: RepoPath::new(file.path_bytes().unwrap_or_default()),
            status: match delta.status() {
                Delta::Added => "added",
                Delta::Deleted => "deleted",
                Delta::Renamed => "renamed",
                Delta::Copied => "copied",
                Delta::Typechange => "type-changed",
                _ => "modified",
            },
            added,
            removed,
            old: blob(delta.old_file()),
            new: blob(delta.new_file()),
        });
    }
    Ok((files, count > limit))
}
