//! What critics object to in all that was committed goes back to a provider once, as in `host review --refine`: under all guards, and before a judge.

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_gate::Proposal;
use guardhost_git::{Head, candidate};
use guardhost_provider::ModelFamily;
use guardhost_report::journal::Artifact;
use guardhost_report::{ImproveReport, Refinement, escape};
use serde::{Deserialize, Serialize};

use super::Improvement;
use super::voting::TASK;
use crate::cli::ReviewArgs;
use crate::command::review::{ReviewedChange, review_of};
use crate::command::run::budget::PlanBudget;

/// Commits about which critics were asked, and what came of it: nobody is asked about them again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RefinedCommits {
    pub commits: Vec<String>,
}

impl RefinedCommits {
    pub fn has(&self, commit: Oid) -> bool {
        self.commits.contains(&commit.to_string())
    }
}

impl Improvement<'_> {
    /// Moves the branch to the refined version if it is kept. Whether it did.
    ///
    /// # Errors
    /// Of the settings, the repository and the records; an interruption.
    pub fn refine(
        &self,
        base: &Head,
        report: &mut ImproveReport,
        known: Option<&RefinedCommits>,
        (author, budget): (Option<&ModelFamily>, &mut PlanBudget),
    ) -> Result<bool> {
        let Some(commit) = report.commit.filter(|commit| !known.is_some_and(|known| known.has(*commit))) else {
            return Ok(false);
        };
        if self.args.refine.is_none() {
            return Ok(false);
        }
        // A host that was killed had moved the branch already.
        if let Some(branch) = self.parts.refined_to(commit) {
            if self.repo.branch(&branch)? == Some(commit) {
                self.repo.delete_branch(&branch, commit)?;
            }
            return Ok(false);
        }
        let ask = match budget.left() {
            Ok(ask) => ask,
            Err(why) => {
                report.notices.push(format!("nothing was refined: {why}"));
                return Ok(false);
            }
        };
        let (repo, ctx) = (self.repo, self.ctx);
        let change = candidate(repo, base.commit, base.tree, repo.tree_of(commit)?)?;
        let change = ReviewedChange {
            proposal: Proposal::on_base(change),
            task: Some(TASK.to_owned()),
            author: author.cloned(),
            tip: Some(commit),
        };
        let args = ReviewArgs::to_refine(self.args, &ask.provider);
        let reviewed = review_of((change, self.parts), &args, repo, ctx, self.cancel.clone())?;
        reviewed.spent.iter().for_each(|spent| budget.spend(spent));
        report.notices.extend(reviewed.notices);
        report.refined = reviewed.refined;
        let mut asked = RefinedCommits { commits: vec![commit.to_string()] };
        let kept = report.refined.as_ref().filter(|refined| refined.outcome == Refinement::Kept);
        let moved = match kept.and_then(|refined| Some((refined.commit?, refined.branch.as_deref()?))) {
            Some((new, branch)) => {
                repo.move_branch(&report.plan.branch, commit, new)?;
                repo.delete_branch(branch, new)?;
                report.commit = Some(new);
                asked.commits.push(new.to_string());
                true
            }
            None => false,
        };
        if let Some(refined) = report.refined.as_mut().filter(|_| moved) {
            // Its own branch is gone.
            refined.branch = Some(report.plan.branch.clone());
        }
        self.keep_refined(&asked)?;
        Ok(moved)
    }

    /// A run that goes on with this one has nothing refined of them.
    ///
    /// # Errors
    /// Of the records.
    pub fn keep_refined(&self, asked: &RefinedCommits) -> Result<()> {
        let kept = escape::json(&serde_json::to_value(asked)?);
        self.identity.records.keep(0, Artifact::Refined, &kept).map(drop)
    }
}
