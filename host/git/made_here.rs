//! Commits that were made in this repository, as the logs of its work trees' HEADs tell.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Repo, new_commits};
use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};

/// How git begins the message where HEAD only goes to a commit that is there: it says nothing of who made that.
const MOVES: [&str; 5] =
    ["checkout: moving from ", "clone: ", "reset: moving to ", "rebase (start): ", "rebase (finish): "];

/// How git ends the message where a merge or a pull made no commit.
const FORWARD: &str = ": Fast-forward";

impl Repo {
    /// The commits that HEAD, of this work tree or another one, got by a commit, a merge, a rebase or the like. Git keeps this log for months,
    /// and those of commands that make a commit without HEAD (`git commit-tree`) are in none.
    ///
    /// # Errors
    /// A log is there and cannot be read.
    pub fn made_here(&self) -> Result<HashSet<Oid>> {
        let mut made = HashSet::new();
        for log in self.logs_of_heads() {
            made.extend(read(&log)?.split(|byte| *byte == b'\n').filter_map(made_by));
        }
        Ok(made)
    }

    /// Whether a branch, by full name, was ever at a commit, as far as anything tells: a ref has the commit, or the log of the branch or
    /// of a HEAD names it.
    ///
    /// # Errors
    /// The refs cannot be read, or a log is there and cannot be read.
    pub fn was_at(&self, branch: &str, commit: Oid) -> Result<bool> {
        for log in self.logs_of_heads().chain([self.common_dir().join("logs").join(branch)]) {
            if read(&log)?
                .split(|byte| *byte == b'\n')
                .any(|line| new_of(&String::from_utf8_lossy(line)) == Some(commit))
            {
                return Ok(true);
            }
        }
        let tips: Vec<Oid> = self.refs("refs/")?.into_iter().map(|(_, oid)| oid).collect();
        Ok(new_commits(self, commit, &tips)?.is_empty())
    }

    fn logs_of_heads(&self) -> impl Iterator<Item = PathBuf> {
        let common = self.common_dir().to_owned();
        let linked = fs::read_dir(common.join("worktrees")).into_iter().flatten();
        let linked = linked.filter_map(|entry| Some(entry.ok()?.path()));
        linked.chain([common]).map(|folder| folder.join("logs/HEAD"))
    }
}

/// Nothing where there is no log.
pub(super) fn read(log: &Path) -> Result<Vec<u8>> {
    match fs::read(log) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        read => read.with_context(|| Fault::new(FaultKind::Git, format!("cannot read {}", log.display()))),
    }
}

/// The commit to which the ref moved by a line of its log.
pub(super) fn new_of(line: &str) -> Option<Oid> {
    Oid::from_str(line.split(' ').nth(1)?).ok()
}

/// The commit of a line `OLD NEW NAME <MAIL> TIME ZONE\tMESSAGE`, if HEAD's move to it made it.
fn made_by(line: &[u8]) -> Option<Oid> {
    let line = String::from_utf8_lossy(line);
    let (who, message) = line.split_once('\t').unwrap_or((&line, ""));
    if MOVES.iter().any(|start| message.starts_with(start)) || message.ends_with(FORWARD) {
        return None;
    }
    new_of(who)
}

#[cfg(test)]
mod tests {
    use super::made_by;

    #[test]
    fn a_move_makes_no_commit() {
        let line = |message: &str| format!("{} {} A <a@b> 1 +0000\t{message}", "1".repeat(40), "2".repeat(40));
        for made in [
            "commit: x",
            "commit (initial): x",
            "rebase (pick): x",
            "cherry-pick: x",
            "merge o: Merge made by the 'ort' strategy.",
            "",
        ] {
            assert!(made_by(line(made).as_bytes()).is_some(), "{made}");
        }
        for moved in [
            "checkout: moving from main to o",
            "pull origin main: Fast-forward",
            "merge o/x: Fast-forward",
            "reset: moving to HEAD~1",
        ] {
            assert!(made_by(line(moved).as_bytes()).is_none(), "{moved}");
        }
        assert!(made_by(b"").is_none() && made_by(b"\xff damaged").is_none());
    }
}
