//! The outcomes of past runs, for guards that look at them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::find::newest_first;
use super::history::{Depth, History, State};
use guardhost_core::change::{PastRun, RecordedEnd, RepoPath, RunEnd, RunEnding, RunHistory, RunOutcome, step_digest};
use guardhost_core::error::{FaultKind, Result};

/// The runs below a state directory.
pub struct RecordedRuns {
    pub state_dir: PathBuf,
}

impl RunHistory for RecordedRuns {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>> {
        let now = Timestamp::now();
        let mut outcomes = Vec::new();
        for folder in newest_first(&self.state_dir)? {
            let history = History::read(folder, Depth::All)?;
            // A run that was killed before it wrote its first record has no age, and touched nothing.
            let Some(age_hours) = age(&history, now) else { continue };
            // All that follow are older: ids begin with the time at which the run began.
            if age_hours > window_hours || outcomes.len() >= limit as usize {
                break;
            }
            outcomes.extend(outcome(&history, age_hours));
        }
        Ok(outcomes)
    }
}

/// Full hours since the run began.
fn age(history: &History, now: Timestamp) -> Option<u32> {
    let (object, _) = history.run()?;
    let began: Timestamp = object.created_at.parse().ok()?;
    // After the clock was set back a run may seem to begin in the future: its age is then 0.
    u32::try_from(now.duration_since(began).as_hours().max(0)).ok()
}

/// None for runs that are still running or that changed nothing.
fn outcome(history: &History, age_hours: u32) -> Option<PastRun> {
    let (_, run) = history.run()?;
    let end = history.end().and_then(|end| end.outcome.as_ref());
    let kind = match (history.state(), end) {
        (State::Running, _) => return None,
        (State::Interrupted, _) | (State::Ended, None) => RunEnding::Abandoned,
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Result(outcome)))) => match outcome {
            RunOutcome::NoChange => return None,
            RunOutcome::Committed | RunOutcome::Staged => RunEnding::Accepted,
            RunOutcome::Rejected => RunEnding::Rejected,
            RunOutcome::OverBudget => RunEnding::Failed,
        },
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(FaultKind::Interrupted)))) => RunEnding::Abandoned,
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(_)) | RecordedEnd::Unknown(_))) => RunEnding::Failed,
    };
    let touched: BTreeSet<RepoPath> = history
        .patch_sets()
        .flat_map(|(_, patch_set)| &patch_set.touched)
        .flat_map(|touched| [Some(&touched.path), touched.old_path.as_ref()])
        .flatten()
        .cloned()
        .collect();
    let patch_sets = history.patch_sets().flat_map(|(object, _)| history.evidence(&object.object_id));
    let blocking = patch_sets.filter(|(_, evidence)| evidence.is_blocking());
    let rejected_by: BTreeSet<String> = blocking.map(|(_, evidence)| evidence.tool.clone()).collect();
    // The run of a plan touches nothing itself; its steps do.
    (!touched.is_empty()).then(|| PastRun {
        run: history.run.clone(),
        step: run.origin.step.clone().unwrap_or_default(),
        plan: run.origin.plan.clone(),
        digest: step_digest(run.task.lines().next().unwrap_or_default(), &run.hints),
        age_hours,
        kind,
        touched: touched.into_iter().collect(),
        rejected_by: rejected_by.into_iter().collect(),
    })
}
