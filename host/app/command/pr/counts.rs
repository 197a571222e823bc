//! What became of comments and of single steps, as reports say it.

use guardhost_forge::comments::Plan;
use guardhost_forge::{Done, Published};
use guardhost_report::{CommentCounts, StepDone};

pub fn step(done: Done) -> StepDone {
    match done {
        Done::Made => StepDone::Made,
        Done::Changed => StepDone::Changed,
        Done::Unchanged => StepDone::Unchanged,
    }
}

pub fn counts(published: &Published) -> CommentCounts {
    let Plan { kept, new, resolved, summarised } = &published.plan;
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
