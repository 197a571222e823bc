//! `host guard run`: one guard on what a real repository went through.

use serde_json::Value;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, GuardOutput, SingleGuard};
use guardhost_git::{Repo, commits, range};
use guardhost_report::{JudgedChange, RangeVerdicts};

/// Every commit of `spec` against its first parent, merges too, as `git log --first-parent` lists them: that is how each would
/// have been judged. With `whole`, the range as one change. Errors: as of [`range`].
pub fn past(
    guard: &SingleGuard,
    repo: &Repo,
    spec: &str,
    whole: bool,
    settings: &Value,
    threads: usize,
) -> Result<RangeVerdicts> {
    let ask = |candidate| GuardInput { candidate, task: None, settings: settings.clone() };
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
    let judged = |((commit, subject), tried): ((Option<Oid>, String), GuardOutput)| JudgedChange {
        commit,
        subject,
        evidence: tried.evidence,
    };
    Ok(RangeVerdicts { range: spec.to_owned(), changes: known.into_iter().zip(tried).map(judged).collect() })
}
