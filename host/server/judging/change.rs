//! A change of a repository, as a job for other machines.

use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::EmbeddedGuards;
use guardhost_fleet::job::{Change, JobTask};
use guardhost_fleet::objects::without_password;
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_git::Repo;
use guardhost_observer::repository::repository_id;
use guardhost_policy::PolicySource;

use super::policy_digest;
use host::observing::identity;

/// A change, and where its objects are.
pub struct Submission {
    pub change: Change,
    /// From where workers fetch the base.
    pub remote: String,
}

/// `tip` is the last commit of a range; None for what is not committed, whose objects are written to the repository. `rules` is the commit
/// whose rules judge a range, as [`guardhost_git::rules_commit`] says; None: the base.
///
/// # Errors
/// The repository has no commit or no id; its rules cannot be read; the new objects cannot be written.
pub fn job_of(
    repo: &Repo,
    candidate: &Candidate,
    tip: Option<Oid>,
    rules: Option<Oid>,
    task: Option<JobTask>,
    policies: &PolicySource<'_>,
    embedded: &EmbeddedGuards,
) -> Result<Submission> {
    let Some(base) = candidate.base else {
        let what = "the change has no base commit, and workers judge by the rules of a base commit";
        return Err(Fault::new(FaultKind::Usage, what)
            .hint("commit something first; `host check` judges it here")
            .into());
    };
    let repository = identity(repo).or_else(|why| id_from_remote(repo).ok_or(why));
    let repository = repository.map_err(|why| Fault::new(FaultKind::Git, why).hint("git fetch --unshallow"))?;
    let rules = rules.filter(|rules| *rules != base);
    let rules_tree = rules.map_or(Ok(candidate.base_tree), |rules| repo.tree_of(rules))?;
    let at = RulesAt { commit: rules.or(Some(base)), tree: rules_tree };
    let gate = Gate::open(policies, repo, at, &Terms::at(Door::Job))?;
    // Only what is not committed has objects in memory.
    if tip.is_none() {
        repo.write_tree(candidate.tree)
            .context(Fault::new(FaultKind::Git, "cannot write the objects of the change"))?;
    }
    let remote = match repo.remote_url()? {
        Some(url) => without_password(&url),
        None => repo.common_dir().display().to_string(),
    };
    let change = Change {
        repository,
        base: base.to_string(),
        rules: rules.map(|rules| rules.to_string()),
        tree: candidate.tree.to_string(),
        tip: tip.map(|tip| tip.to_string()),
        is_made_merge: false,
        message: candidate.message.clone(),
        task,
        policy: policy_digest(gate.policy(), embedded),
    };
    Ok(Submission { change, remote })
}

/// Of a shallow clone, which has no root commits and is what CI checks out: where it comes from. Workers have a mirror of its own for it.
fn id_from_remote(repo: &Repo) -> Option<String> {
    let remote = without_password(&repo.remote_url().ok()??);
    Some(repository_id(&[format!("shallow clone of {remote}")], None))
}
