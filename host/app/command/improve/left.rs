//! What is left to do of `host improve`: all of it, or what a run that stopped has not done.

use std::path::PathBuf;

use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_git::{Head, Repo};
use guardhost_report::journal::{Artifact, RunCommand, State, latest};

use super::refining::RefinedCommits;
use super::voting::CastVotes;
use crate::command::fix::resume::{FixProgress, artifact, folders};
use crate::command::run::plan::PlanRun;
use crate::command::run::resume;
use crate::command::select_run::named_run;

pub struct LeftToImprove {
    pub base: Head,
    pub rules: Oid,
    pub resumes: Option<String>,
    /// The runs that this one goes on with, the newest first, and their folders.
    pub lineage: Vec<String>,
    pub folders: Vec<PathBuf>,
    /// The rest of the plan, if the run got so far.
    pub plan: Option<PlanRun>,
    /// What was done of the issues that the audit found behind the plan.
    pub fixes: FixProgress,
    /// What critics were asked about, and voters answered, already.
    pub refined: Option<RefinedCommits>,
    pub voted: Option<CastVotes>,
}

impl LeftToImprove {
    pub fn new(base: Head) -> Self {
        let (rules, fixes) = (base.tree, FixProgress::default());
        let (lineage, folders) = (Vec::new(), Vec::new());
        LeftToImprove { rules, base, resumes: None, lineage, folders, plan: None, fixes, refined: None, voted: None }
    }

    /// # Errors
    /// [`FaultKind::Usage`]: no such run, one of another command, one that is at work.
    pub fn from_run(repo: &Repo, prefix: &str) -> Result<Self> {
        let state_dir = repo.state_dir()?;
        let history = named_run(&state_dir, prefix)?;
        let wrong = |what: String| Err(Fault::new(FaultKind::Usage, what).into());
        let Some((_, run)) = history.run().filter(|(_, run)| run.command == RunCommand::Improve) else {
            return wrong(format!("the run {} is none of `host improve`", history.run));
        };
        if history.state() == State::Running {
            return wrong(format!("the run {} is still at work", history.run));
        }
        let base = run.commit.as_deref().map(|commit| resume::head(repo, commit)).transpose()?;
        let base = base.map_or_else(|| repo.head(), Ok)?;
        let rules = resume::rules_tree(&run.origin)?;
        // It is written whole or not at all, once the planner has answered and before the first step.
        let is_planned = history.dir.join("0").join(Artifact::Plan.file()).is_file();
        let plan =
            is_planned.then(|| resume::plan(repo, &state_dir, &history, Some(base.clone()), rules)).transpose()?;
        let fixes = match &plan {
            Some(plan) => FixProgress::new(repo, &plan.lineage, &base, &plan.base)?,
            None => FixProgress::default(),
        };
        let lineage = plan.as_ref().map(|plan| plan.lineage.clone()).unwrap_or_default();
        let folders = folders(&latest(&state_dir, usize::MAX)?, &lineage);
        let (refined, voted) = (artifact(&folders, 0, Artifact::Refined)?, artifact(&folders, 0, Artifact::Votes)?);
        let resumes = Some(history.run.clone());
        Ok(LeftToImprove { base, rules, resumes, lineage, folders, plan, fixes, refined, voted })
    }
}
