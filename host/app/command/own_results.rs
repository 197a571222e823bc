//! Which commits runs of this user's host made, and what judged each.
//!
//! A run's record lies in the repository and can be written anew by whoever works there, with seals and digests that fit. What is noted here
//! lies in the user's cache folder, under a seal with a key. Where the note is missing, the result is judged again.

use std::collections::HashMap;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::SealedText;
use guardhost_git::Repo;

use crate::context::CommandContext;

const WHAT: &str = "results";

/// As many results as are noted; records are stored for fifty runs by default.
const NOTED: usize = 500;

/// The results of one repository. None where the user has no folder of their own.
pub struct OwnResults(Option<SealedText>);

impl OwnResults {
    pub fn open(repo: &Repo, ctx: &CommandContext) -> Self {
        let cache = ctx.process.cache.as_deref();
        OwnResults(cache.and_then(|cache| SealedText::open(cache, WHAT, repo.common_dir()).ok()))
    }

    /// Notes that the host made this commit, whose change these guards and rules judged. What cannot be written is judged again later.
    pub fn add(&self, commit: Oid, judges: &str) {
        let Some(text) = &self.0 else { return };
        text.alone(|| {
            let before = text.read().unwrap_or_default();
            let lines: Vec<&str> = before.lines().collect();
            let newest = &lines[lines.len().saturating_sub(NOTED - 1)..];
            let all: String = newest.iter().map(|line| format!("{line}\n")).collect();
            let _ = text.write(&format!("{all}{commit} {judges}\n"));
        });
    }

    /// The digest of what judged all changes from `base` to this commit, one after the other. None where a commit on the way is not the host's,
    /// or others judged it.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn judges(&self, repo: &Repo, base: Oid, commit: Oid) -> Result<Option<String>> {
        let Some(text) = self.0.as_ref().and_then(SealedText::read) else { return Ok(None) };
        let noted: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
        let Some(judges) = noted.get(commit.to_string().as_str()) else { return Ok(None) };
        let mut at = commit;
        while at != base {
            let (parents, _) = repo.parents_and_message(at)?;
            let ([parent], Some(by)) = (parents.as_slice(), noted.get(at.to_string().as_str())) else {
                return Ok(None);
            };
            if by != judges {
                return Ok(None);
            }
            at = *parent;
        }
        Ok(Some((*judges).to_owned()))
    }
}
