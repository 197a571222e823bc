//! Earlier commits, and rejected attempts that are kept.

use git2::Repository;

use super::refs::{PART, REJECTED};
use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

impl Repo {
    /// At most `limit` commits on the first-parent line of HEAD, newest first, each with the first line of its message. The list ends
    /// before a commit whose parent is missing from a shallow clone.
    pub fn history(&self, limit: u32) -> Result<Vec<(String, Oid)>> {
        let Some(head) = self.head()?.commit else { return Ok(Vec::new()) };
        self.on_disk(|repo| {
            let mut commits = Vec::new();
            let mut next = Some(head);
            while let Some(oid) = next.filter(|_| commits.len() < limit as usize) {
                let commit =
                    repo.find_commit(oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
                next = commit.parent_ids().next();
                let has_parent =
                    commit.raw_header_bytes().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"parent "));
                if next.is_none() && has_parent {
                    break;
                }
                commits.push((subject(repo, oid)?, oid));
            }
            Ok(commits)
        })
    }

    /// The parents of a commit, and its whole message.
    pub fn parents_and_message(&self, commit: Oid) -> Result<(Vec<Oid>, String)> {
        self.on_disk(|repo| {
            let found =
                repo.find_commit(commit).map_err(|cause| failed(format!("cannot read commit {commit}"), cause))?;
            Ok((found.parent_ids().collect(), String::from_utf8_lossy(found.message_bytes()).into_owned()))
        })
    }

    /// Rejected attempts that still have a ref, without their parts: `RUN/ROUND`, the first line of the message, the commit.
    pub fn rejected(&self) -> Result<Vec<(String, String, Oid)>> {
        self.on_disk(|repo| {
            let failed = |cause| failed("cannot list the rejected attempts", cause);
            let mut attempts = Vec::new();
            for reference in repo.references_glob(&format!("{REJECTED}/*")).map_err(failed)? {
                let reference = reference.map_err(failed)?;
                let name = String::from_utf8_lossy(reference.name_bytes());
                let name = name.strip_prefix(&format!("{REJECTED}/")).unwrap_or(&name).to_owned();
                // The acceptable part of an attempt lies beside it.
                if let Some(oid) = reference.target().filter(|_| !name.ends_with(PART)) {
                    attempts.push((name, subject(repo, oid)?, oid));
                }
            }
            attempts.sort();
            Ok(attempts)
        })
    }
}

fn subject(repo: &Repository, oid: Oid) -> Result<String> {
    let commit = repo.find_commit(oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
    let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
    Ok(message.lines().next().unwrap_or_default().to_owned())
}
