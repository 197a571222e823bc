//! What became of comments and of single steps, as reports say it.

use guardhost_forge::comments::CommentPlan;
use guardhost_forge::{Published, WriteOutcome};
use guardhost_report::{CommentCounts, StepDone};

pub fn step(done: WriteOutcome) -> StepDone {
    match done {
        WriteOutcome::Made => StepDone::Made,
        WriteOutcome::Changed => StepDone::Changed,
        WriteOutcome::Unchanged => StepDone::Unchanged,
    }
}

pub fn counts(published: &Published) -> CommentCounts {
    let CommentPlan { kept, new, resolved, summarised } = &published.plan;
    let reopened = kept.iter().filter(|kept| kept.reopened).count();
    CommentCounts {
        new: new.len(),
        kept: kept.len() - reopened,
        reopened,
        resolved: resolved.len(),
        summarised: summarised.len(),
        refused: published.refused,
    }
}
