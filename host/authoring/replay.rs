//! `host guard run`: one guard on the commits of a real repository.

use serde_json::Value;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, GuardOutput, SingleGuard};
use guardhost_git::{Repo, commits, range};
use guardhost_report::{JudgedChange, RangeVerdicts};

/// Judges every commit of `spec` against its first parent, merges included, as `git log --first-parent` lists them. With `whole`,
/// judges the range as one change. Errors: as of [`range`].
pub fn replay(
    guard: &SingleGuard,
    repo: &Repo,
    spec: &str,
    whole: bool,
    settings: &Value,
    threads: usize,
) -> Result<RangeVerdicts> {
    let ask = |candidate| GuardInput { candidate, task: None, settings: settings.clone() };
    let (mut known, mut inputs) = (Vec::new(), Vec::new());
    if whole {
        known.push((None, spec.to_owned()));
        inputs.push(ask(range(repo, spec)?));
    } else {
        for (commit, subject) in commits(repo, spec)? {
            inputs.push(ask(range(repo, &commit.to_string())?));
            known.push((Some(commit), subject));
        }
    }
    let output = guard.judge_all(&inputs, threads)?;
    let judged = |((commit, subject), output): ((Option<Oid>, String), GuardOutput)| JudgedChange {
        commit,
        subject,
        evidence: output.evidence,
    };
    Ok(RangeVerdicts { range: spec.to_owned(), changes: known.into_iter().zip(output).map(judged).collect() })
}
