//! The nearest tests are run first: what they break rejects a change without the others.
//!
//! Only a red one decides here. That the nearest tests pass says nothing of the rest, which is run then.

use guard_sdk::{Change, Finding, Selection, Side, TestOutcome, TestReport, log};
use nearest::nearest;

use crate::compare::Compared;
use crate::say;

/// What the nearest tests say against the change; None when they say nothing, or nobody can tell.
pub fn red(change: &Change, base: &[TestReport], seconds: u32) -> Option<Vec<Finding>> {
    if seconds == 0 {
        return None;
    }
    let paths = nearest(change, Side::After, base);
    if paths.is_empty() {
        return None;
    }
    // The first test that fails must be one that the change broke.
    let until_failure = !base
        .iter()
        .flat_map(|report| &report.tests)
        .any(|test| is_failure(test.outcome) && test.path.as_ref().is_none_or(|path| paths.contains(path)));
    let tools = change.toolchain();
    let selection = Selection { paths, until_failure, seconds };
    let now = tools.tests_with(Side::After, &[], &selection).ok()?;
    log::metric("nearest", now.iter().map(|report| report.tests.len()).sum::<usize>() as f64);
    if !now.iter().flat_map(|report| &report.tests).any(|test| is_failure(test.outcome)) {
        return None;
    }
    // A test may need another that runs before it: only what passes on the base in the same selection counts.
    let alone = Selection { until_failure: false, ..selection };
    let base_alone = tools.tests_with(Side::Before, &[], &alone).ok()?;
    let compared = Compared::new(&base_alone, &now);
    let red = say::broken_tests(&compared);
    if red.is_empty() {
        return None;
    }
    let passed = |reports: &[TestReport]| {
        reports.iter().flat_map(|report| &report.tests).filter(|test| test.outcome == TestOutcome::Passed).count()
    };
    let told = now.iter().map(|report| report.tests.len()).sum();
    Some(red.into_iter().chain(say::rest(passed(base), told)).collect())
}

fn is_failure(outcome: TestOutcome) -> bool {
    match outcome {
        TestOutcome::Failed | TestOutcome::Errored => true,
        TestOutcome::Passed | TestOutcome::Skipped => false,
    }
}
