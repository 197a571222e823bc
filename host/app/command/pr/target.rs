//! The run whose pull request is meant, and the commit at its end.

use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_report::journal::{History, State};

use crate::command::run_result::result_of;
use crate::command::select_run::run_or_newest;

pub struct PullTarget {
    pub history: History,
    pub branch: String,
    /// The base of the run.
    pub base: Option<Oid>,
    /// The commit of the run, or what its branch has gained since: changes that fix builds.
    pub head: Oid,
}

/// # Errors
/// [`FaultKind::Usage`]: there is no such run, or it committed nothing.
pub fn target(repo: &Repo, name: Option<&str>) -> Result<PullTarget> {
    let has_branch =
        |history: &History| history.state() == State::Ended && history.commit().is_some() && history.branch().is_some();
    let history = run_or_newest(&repo.state_dir()?, name, has_branch, "no recorded run committed anything")?;
    let result = result_of(repo, &history)?;
    let Some(branch) = history.branch() else {
        let fault = Fault::new(FaultKind::Usage, format!("the run {} has no branch", history.run));
        return Err(fault.hint("commit on a branch and push it with git; `host pr` is for branches of runs").into());
    };
    let tip = repo.branch(&branch)?;
    let head = match tip {
        Some(tip) if repo.contains(tip, result.commit)? => tip,
        Some(_) | None => result.commit,
    };
    Ok(PullTarget { history, branch, base: result.base, head })
}
