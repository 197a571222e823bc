//! The commits of a range, and git's log of a path.

use git2::{Commit, Repository, Sort};

use super::{Repo, Store, failed, recent_edits, tree};
use guardhost_core::change::{CommitEdits, CommitInfo, CommitLog, FileMode, Oid, RecentCommits, RepoPath, TreeEntry};
use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// What `git log --first-parent --reverse` lists for `A..B`, `A...B` or one commit: ids and the first lines of messages, oldest
/// first. Errors: a revision that does not exist ([`guardhost_core::error::FaultKind::Usage`]), a commit that cannot be read.
pub fn commits(repo: &Repo, spec: &str) -> Result<Vec<(Oid, String)>> {
    let end = |revision: &str| repo.resolve(if revision.is_empty() { "HEAD" } else { revision });
    let (hidden, tip) = match spec.split_once("...").or_else(|| spec.split_once("..")) {
        Some((a, b)) => (Some(end(a)?), end(b)?),
        None => (None, repo.resolve(spec)?),
    };
    let store = repo.store();
    let handle = store.handle();
    let failed = |cause| failed(format!("cannot list the commits of {spec}"), cause);
    let subject = |oid: Oid| -> Result<(Oid, String)> {
        let commit = handle.find_commit(oid).map_err(failed)?;
        let line = commit.message_bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok((oid, String::from_utf8_lossy(line).into_owned()))
    };
    let Some(hidden) = hidden else { return Ok(vec![subject(tip)?]) };
    let mut walk = handle.revwalk().map_err(failed)?;
    let mut begin = || {
        walk.set_sorting(Sort::TOPOLOGICAL)?;
        walk.simplify_first_parent()?;
        walk.push(tip)?;
        walk.hide(hidden)
    };
    begin().map_err(failed)?;
    let mut found = walk.map(|oid| subject(oid.map_err(failed)?)).collect::<Result<Vec<_>>>()?;
    found.reverse();
    Ok(found)
}

/// Every commit that `tip` reaches and `hidden` does not, merged ones too, oldest first.
pub(super) fn commits_between(repo: &Repo, hidden: Option<Oid>, tip: Oid) -> Result<Vec<CommitInfo>> {
    let store = repo.store();
    let handle = store.handle();
    let failed = |cause| failed(format!("cannot list the commits up to {tip}"), cause);
    let mut walk = handle.revwalk().map_err(failed)?;
    let mut begin = || {
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
        walk.push(tip)?;
        hidden.map_or(Ok(()), |hidden| walk.hide(hidden))
    };
    begin().map_err(failed)?;
    walk.map(|oid| Ok(info(&handle.find_commit(oid.map_err(failed)?).map_err(failed)?))).collect()
}

/// These commits as guards see them.
pub(super) fn commit_infos(repo: &Repo, commits: &[Oid]) -> Result<Vec<CommitInfo>> {
    let store = repo.store();
    let handle = store.handle();
    let find = |oid: &Oid| {
        let commit = handle.find_commit(*oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
        Ok(info(&commit))
    };
    commits.iter().map(find).collect()
}

/// A commit as guards see it.
pub(super) fn info(commit: &Commit) -> CommitInfo {
    let author = commit.author();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    CommitInfo {
        oid: Some(commit.id()),
        message: text(commit.message_bytes()),
        author_name: text(author.name_bytes()),
        author_email: text(author.email_bytes()),
    }
}

impl CommitLog for Store {
    fn touching(&self, from: Oid, path: &RepoPath, limit: usize, window: usize) -> Result<Vec<CommitInfo>> {
        let handle = self.handle();
        let failed = |cause| failed(format!("cannot read the log of {path}"), cause);
        let oid_at = |commit: &Commit| Ok::<_, Error>(object_at(&handle, commit, path)?.map(|(oid, _)| oid));
        let mut found = Vec::new();
        let mut next = Some(handle.find_commit(from).map_err(failed)?);
        for _ in 0..window {
            let Some(commit) = next.filter(|_| found.len() < limit) else { break };
            // The oldest commit of a shallow clone has no parent here: nothing tells what it changed.
            let parent = commit.parents().next();
            let has_changed = match &parent {
                Some(parent) => oid_at(&commit)? != oid_at(parent)?,
                None => !handle.is_shallow() && oid_at(&commit)?.is_some(),
            };
            if has_changed || path.as_bytes().is_empty() {
                found.push(info(&commit));
            }
            next = parent;
        }
        Ok(found)
    }

    fn versions(&self, from: Oid, path: &RepoPath, limit: usize, window: usize) -> Result<Vec<TreeEntry>> {
        let handle = self.handle();
        let failed = |cause| failed(format!("cannot read the log of {path}"), cause);
        let mut found: Vec<TreeEntry> = Vec::new();
        let mut commit = handle.find_commit(from).map_err(failed)?;
        let mut last = object_at(&handle, &commit, path)?.map(|(oid, _)| oid);
        for _ in 0..window {
            let Some(parent) = commit.parents().next().filter(|_| found.len() < limit) else { break };
            let Some((oid, Some(mode @ (FileMode::File | FileMode::Executable)))) = object_at(&handle, &parent, path)?
            else {
                break;
            };
            if last != Some(oid) {
                found.push(TreeEntry { oid, mode });
            }
            (last, commit) = (Some(oid), parent);
        }
        Ok(found)
    }

    fn recent_edits(
        &self,
        from: Oid,
        paths: &[RepoPath],
        looked_at: RecentCommits,
    ) -> Result<Option<Vec<CommitEdits>>> {
        recent_edits::recent_edits(&self.handle(), from, paths, looked_at)
    }
}

/// The object at the path, whatever its type, and what file it is, if it is one; None when there is none.
fn object_at(handle: &Repository, commit: &Commit, path: &RepoPath) -> Result<Option<(Oid, Option<FileMode>)>> {
    let failed = |cause| failed(format!("cannot read the tree of {}", commit.id()), cause);
    let (mut found, mut mode) = (commit.tree_id(), None);
    let mut parts = path.parts().filter(|part| !part.is_empty()).peekable();
    while let Some(part) = parts.next() {
        let folder = handle.find_tree(found).map_err(failed)?;
        // git2 takes names as text; comparing bytes finds every name.
        let Some(entry) = folder.iter().find(|entry| entry.name_bytes() == part) else { return Ok(None) };
        (found, mode) = (entry.id(), tree::mode(entry.filemode()));
        if parts.peek().is_some() && entry.kind() != Some(git2::ObjectType::Tree) {
            return Ok(None);
        }
    }
    Ok(Some((found, mode)))
}

/// A commit message as git keeps it: without comments, trailing blanks and blank lines at its ends.
///
/// # Errors
/// A message with NUL, which git does not keep either.
pub fn clean_message(message: &str) -> Result<String> {
    let failed = |cause| failed("cannot read the commit message", cause);
    git2::message_prettify(message, git2::DEFAULT_COMMENT_CHAR).map_err(failed)
}

/// None of a commit without parents.
pub(super) fn first_parent(repo: &Repo, commit: Oid) -> Result<Option<Oid>> {
    let handle = repo.store();
    let handle = handle.handle();
    let failed = |cause| failed(format!("cannot read commit {commit}"), cause);
    let commit = handle.find_commit(commit).map_err(failed)?;
    let parent = commit.parent_ids().next();
    // In a shallow clone the oldest commit has no parent for libgit2, although it names one. Compared with nothing, the whole
    // repository would be judged as new.
    let names_parent = commit.raw_header_bytes().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"parent "));
    match parent {
        None if names_parent => {
            Err(Fault::new(FaultKind::Git, format!("the parent of {} is missing from this shallow clone", commit.id()))
                .hint("git fetch --deepen=1, or git fetch --unshallow")
                .into())
        }
        parent => Ok(parent),
    }
}
