//! Commits that were made in this repository, as the logs of its work trees' HEADs tell.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;

use super::Repo;
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
        let common = self.common_dir();
        let linked =
            fs::read_dir(common.join("worktrees")).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut made = HashSet::new();
        for folder in linked.chain([common.to_owned()]) {
            let log = folder.join("logs/HEAD");
            match fs::read(&log) {
                Ok(text) => made.extend(text.split(|byte| *byte == b'\n').filter_map(made_by)),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => {
                    let what = format!("cannot read {}", log.display());
                    return Err(error).context(Fault::new(FaultKind::Git, what));
                }
            }
        }
        Ok(made)
    }
}

/// The commit of a line `OLD NEW NAME <MAIL> TIME ZONE\tMESSAGE`, if HEAD's move to it made it.
fn made_by(line: &[u8]) -> Option<Oid> {
    let line = String::from_utf8_lossy(line);
    let (who, message) = line.split_once('\t').unwrap_or((&line, ""));
    if MOVES.iter().any(|start| message.starts_with(start)) || message.ends_with(FORWARD) {
        return None;
    }
    Oid::from_str(who.split(' ').nth(1)?).ok()
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
