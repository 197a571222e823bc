//! What the runs that an improvement goes on with were told already, and what was refined in them: nobody is asked for it again.

use std::path::PathBuf;

use guardhost_core::change::{Oid, RecordedEnd, RunEnd, RunOutcome};
use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_report::journal::{History, RunCommand, latest};

/// The run that asks for a review, and what those that it goes on with asked for beside their steps. By default none.
#[derive(Default)]
pub struct EarlierParts {
    pub part_of: Option<String>,
    /// The newest first.
    parts: Vec<History>,
}

/// A run that was asked for a refined version before, and what it came to.
pub struct EarlierRefinement {
    pub run: String,
    pub made: RefinedVersion,
}

/// What whoever was to refine a change made of it.
pub enum RefinedVersion {
    /// The branch may be gone: it goes when the version is not kept.
    Committed {
        commit: Oid,
        branch: String,
    },
    NoChange,
    /// Why there is none.
    Rejected(String),
}

impl EarlierParts {
    /// Of the run `run`, which goes on with those of `lineage`.
    ///
    /// # Errors
    /// The records cannot be read.
    pub fn from_records(repo: &Repo, run: &str, lineage: &[String]) -> Result<Self> {
        let mut parts = match lineage {
            [] => Vec::new(),
            _ => latest(&repo.state_dir()?, usize::MAX)?,
        };
        let of = |past: &History| past.run().and_then(|(_, run)| run.origin.part_of.clone());
        parts.retain(|past| of(past).is_some_and(|run| lineage.contains(&run)));
        Ok(EarlierParts { part_of: Some(run.to_owned()), parts })
    }

    /// The folders of runs with recorded answers.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.parts.iter().map(|past| past.dir.clone())
    }

    /// The version of the commit `tip` that was asked for with these words. A run that came to no end is none, unless it committed before.
    ///
    /// # Errors
    /// Of the repository.
    pub fn refinement(&self, repo: &Repo, tip: Oid, task: &str) -> Result<Option<EarlierRefinement>> {
        for past in &self.parts {
            let Some((_, run)) = past.run().filter(|(_, run)| run.command == RunCommand::Run) else { continue };
            if run.task.trim() != task.trim() || run.commit.as_deref() != Some(&*tip.to_string()) {
                continue;
            }
            if let Some(made) = made(repo, past)? {
                return Ok(Some(EarlierRefinement { run: past.run.clone(), made }));
            }
        }
        Ok(None)
    }

    /// The branch of the run that refined something to this commit.
    pub fn refined_to(&self, commit: Oid) -> Option<String> {
        let commit = commit.to_string();
        let is_of = |past: &&History| {
            let is_run = past.run().is_some_and(|(_, run)| run.command == RunCommand::Run);
            is_run && past.commit() == Some(commit.as_str())
        };
        self.parts.iter().find(is_of).and_then(History::branch)
    }
}

fn made(repo: &Repo, past: &History) -> Result<Option<RefinedVersion>> {
    let Some(branch) = past.branch() else { return Ok(None) };
    let tip = repo.branch(&branch)?;
    let recorded = past.commit().and_then(|commit| repo.resolve(commit).ok());
    // Its branch begins with its commit, also where the host was killed before it could record it.
    if let Some(commit) = recorded.or(tip) {
        return Ok(Some(RefinedVersion::Committed { commit, branch }));
    }
    let Some(RecordedEnd::Known(RunEnd::Result(end))) = past.end().and_then(|end| end.outcome.as_ref()) else {
        return Ok(None);
    };
    Ok(match end {
        RunOutcome::NoChange => Some(RefinedVersion::NoChange),
        RunOutcome::Rejected => {
            let why = past.end().and_then(|end| end.rationale.clone());
            Some(RefinedVersion::Rejected(why.unwrap_or_else(|| "the guards reject it".to_owned())))
        }
        RunOutcome::Committed | RunOutcome::Staged | RunOutcome::OverBudget => None,
    })
}
