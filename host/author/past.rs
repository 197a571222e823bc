//! `host guard run`: one guard on what a real repository went through.

use serde_json::Value;

use crate::change::{Evidence, GuardVerdict, Oid};
use crate::error::Result;
use crate::git::{Repo, commits, range};
use crate::guard::{Sample, Trial, Tried};

/// What one guard says of a range.
#[derive(Debug, Clone)]
pub struct Past {
    pub range: String,
    /// Oldest first.
    pub changes: Vec<Judged>,
}

#[derive(Debug, Clone)]
pub struct Judged {
    /// The commit that brought the change; None for a range as one.
    pub commit: Option<Oid>,
    /// First line of its message.
    pub subject: String,
    pub evidence: Evidence,
}

impl Past {
    /// How many changes it gave this word for.
    pub fn count(&self, word: &str) -> usize {
        self.changes.iter().filter(|change| change.evidence.verdict.word() == word).count()
    }

    pub fn broke(&self) -> bool {
        self.changes.iter().any(|change| matches!(change.evidence.verdict, GuardVerdict::Error { .. }))
    }
}

/// Every commit of `spec` against its first parent, merges too, as `git log --first-parent` lists them: that is how each would
/// have been judged. With `whole`, the range as one change. Errors: as of [`range`].
pub fn past(guard: &Trial, repo: &Repo, spec: &str, whole: bool, settings: &Value, threads: usize) -> Result<Past> {
    let ask = |candidate| Sample { candidate, task: None, settings: settings.clone() };
    let (mut known, mut samples) = (Vec::new(), Vec::new());
    if whole {
        known.push((None, spec.to_owned()));
        samples.push(ask(range(repo, spec)?));
    } else {
        for (commit, subject) in commits(repo, spec)? {
            samples.push(ask(range(repo, &commit.to_string())?));
            known.push((Some(commit), subject));
        }
    }
    let tried = guard.judge_all(&samples, threads)?;
    let judged = |((commit, subject), tried): ((Option<Oid>, String), Tried)| Judged {
        commit,
        subject,
        evidence: tried.evidence,
    };
    Ok(Past { range: spec.to_owned(), changes: known.into_iter().zip(tried).map(judged).collect() })
}
