//! G9: a step that guards rejected here, in the same way, is not tried again as it is. Another step on the same files is: no file is ever
//! closed.
//!
//! The key is this repository (whose records are read), the step's digest and the guard that rejected it. A rejection weighs 1, and half of
//! that after each day. It does not count once a later change of the step's files was accepted.

use std::collections::BTreeMap;

use guardhost_core::change::{PastRun, PlanEdit, RepoPath, RunEnding};

use super::super::model::{Plan, PlanTask, PlannedStep};

/// The sum of weights from which on a step is dropped: two rejections within a day.
const THRESHOLD: f64 = 1.5;
const HALF_LIFE_HOURS: f64 = 24.0;

/// Hours after which a rejection weighs less than a hundredth.
pub const WINDOW_HOURS: u32 = 7 * 24;
/// Runs that are read.
pub const RUNS: u32 = 1_000;

/// A patch that was never placed was judged by no guard.
const NOT_PLACED: &str = "a patch that could not be placed";

/// `past`: newest first.
pub fn edits(plan: &Plan, past: &[PastRun]) -> Vec<PlanEdit> {
    let steps = plan.steps().filter(|(_, step)| step.dropped.is_none());
    let objection = |(task, step): (&PlanTask, &PlannedStep)| {
        let digest = step.request(task).digest();
        let (cause, weight) = heaviest(&digest, &step.hints, past)?;
        (weight >= THRESHOLD).then(|| PlanEdit::Drop {
            step: step.id.clone(),
            reason: format!(
                "the same step was rejected here before, by {cause} (weight {weight:.1} of {THRESHOLD:.1}, halved each day): \
                 plan a different step, in other words, on other files or in smaller parts"
            ),
        })
    };
    steps.filter_map(objection).collect()
}

/// What rejected the step most, and its weight.
fn heaviest(digest: &str, hints: &[RepoPath], past: &[PastRun]) -> Option<(String, f64)> {
    let is_cleared =
        |run: &PastRun| run.kind == RunEnding::Accepted && run.touched.iter().any(|path| hints.contains(path));
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for run in past.iter().take_while(|run| !is_cleared(run)).filter(|run| run.digest == digest) {
        let counts = match run.kind {
            RunEnding::Rejected => true,
            // That no provider answered, or that the user stopped it, says nothing of the step.
            RunEnding::Accepted | RunEnding::Failed | RunEnding::Abandoned => false,
        };
        if !counts {
            continue;
        }
        let weight = 0.5f64.powf(f64::from(run.age_hours) / HALF_LIFE_HOURS);
        match run.rejected_by.as_slice() {
            [] => *weights.entry(NOT_PLACED).or_default() += weight,
            guards => guards.iter().for_each(|guard| *weights.entry(guard).or_default() += weight),
        }
    }
    let heaviest = weights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((heaviest.0.to_owned(), heaviest.1))
}
