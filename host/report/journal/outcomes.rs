//! What earlier runs came to, for guards that heed it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::find::folders;
use super::history::{History, State};
use guardhost_core::change::{PastRun, RecordedEnd, RepoPath, RunEnd, RunEnding, RunHistory, RunOutcome};
use guardhost_core::error::{Kind, Result};

/// The records below a state directory.
pub struct RecordedRuns {
    pub state_dir: PathBuf,
}

impl RunHistory for RecordedRuns {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>> {
        let now = Timestamp::now();
        let mut outcomes = Vec::new();
        for folder in folders(&self.state_dir)? {
            let history = History::read(folder)?;
            // Only what has a beginning has an age. One that was killed before it began touched nothing.
            let Some(age_hours) = age(&history, now) else { continue };
            // Folders are named by the time of their beginning.
            if age_hours > window_hours || outcomes.len() >= limit as usize {
                break;
            }
            outcomes.extend(outcome(&history, age_hours));
        }
        Ok(outcomes)
    }
}

fn age(history: &History, now: Timestamp) -> Option<u32> {
    let (object, _) = history.run()?;
    let began: Timestamp = object.created_at.parse().ok()?;
    // A clock that was set back makes a run young, not an error.
    u32::try_from(now.duration_since(began).as_hours().max(0)).ok()
}

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
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(Kind::Interrupted)))) => RunEnding::Abandoned,
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
    let against = patch_sets.filter(|(_, evidence)| evidence.stands_against());
    let rejected_by: BTreeSet<String> = against.map(|(_, evidence)| evidence.tool.clone()).collect();
    // A plan touches nothing itself; its steps do.
    (!touched.is_empty()).then(|| PastRun {
        run: history.run.clone(),
        step: run.origin.step.clone().unwrap_or_default(),
        age_hours,
        kind,
        touched: touched.into_iter().collect(),
        rejected_by: rejected_by.into_iter().collect(),
    })
}
