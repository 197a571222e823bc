//! The commit that a recorded run ended with.

use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_report::journal::{History, State};

/// What a run committed, and what it was made for.
pub struct RunResult {
    /// None for a run in a repository without commits.
    pub base: Option<Oid>,
    pub base_tree: Oid,
    pub commit: Oid,
    pub tree: Oid,
}

/// # Errors
/// [`FaultKind::Usage`]: the run is at work or committed nothing; [`FaultKind::Git`]: the commit, or its base, is gone.
pub fn result_of(repo: &Repo, history: &History) -> Result<RunResult> {
    let run = &history.run;
    let Some(commit) = history.commit() else {
        let (what, hint) = match (history.state(), history.end().and_then(|end| end.outcome.as_ref())) {
            (State::Running, _) => ("is still at work".to_owned(), "wait for its end".to_owned()),
            (State::Interrupted, _) | (State::Ended, None) => {
                ("was interrupted".to_owned(), format!("host run --resume {run}"))
            }
            (State::Ended, Some(end)) => {
                (format!("committed nothing: it ended with `{}`", end.as_str()), format!("host show {run}"))
            }
        };
        return Err(Fault::new(FaultKind::Usage, format!("the run {run} {what}")).hint(hint).into());
    };
    let resolve = |commit: &str| repo.resolve(commit).with_context(|| gone(run, commit));
    let commit = resolve(commit)?;
    let (base, base_tree) = base_of(repo, history)?;
    Ok(RunResult { base, base_tree, commit, tree: repo.tree_of(commit)? })
}

/// What the run was made for: its commit, if there was one, and the tree.
///
/// # Errors
/// [`FaultKind::Git`]: the commit is gone.
pub fn base_of(repo: &Repo, history: &History) -> Result<(Option<Oid>, Oid)> {
    let resolve = |commit: &str| repo.resolve(commit).with_context(|| gone(&history.run, commit));
    let base = history.run().and_then(|(_, run)| run.commit.as_deref()).map(resolve).transpose()?;
    let base_tree = base.map_or_else(|| repo.empty_tree(), |base| repo.tree_of(base))?;
    Ok((base, base_tree))
}

fn gone(run: &str, commit: &str) -> Fault {
    Fault::new(FaultKind::Git, format!("the commit {commit} of the run {run} is gone"))
}
