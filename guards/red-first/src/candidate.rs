//! What the tests of a change say of the candidate, without the rest of its suite where that is enough.

use guard_sdk::{Change, Denied, Selection, Side, TestOutcome, TestReport};

use crate::fresh;
use crate::parts::Parts;

/// The files with tests that the change touches are run alone, and all tests only if that says too little: no file is known, a runner
/// fails, or a test of the change does, which may need others before it.
pub fn tests(change: &Change, parts: &Parts, base: &[TestReport]) -> Result<Vec<TestReport>, Denied> {
    let tools = change.toolchain();
    if parts.test_files.is_empty() {
        return tools.tests(Side::After);
    }
    let alone = Selection { paths: parts.test_files.clone(), until_failure: false, seconds: 0 };
    let reports = match tools.tests_with(Side::After, &[], &alone) {
        Ok(reports) => reports,
        Err(Denied::TimedOut(_)) => return tools.tests(Side::After),
        Err(why) => return Err(why),
    };
    let is_whole = reports.iter().all(|report| report.is_complete);
    let fresh = fresh::tests(change, parts, base, &reports);
    let failing = fresh.iter().filter(|fresh| is_failure(fresh.test.outcome));
    let failing: Vec<(&TestReport, &str)> = failing.map(|fresh| (fresh.report, fresh.test.id.as_str())).collect();
    if is_whole && !fresh.is_empty() && failing.is_empty() {
        return Ok(reports);
    }
    // One that passes alone on the base needs no other test, so that its failure stands.
    let is_known = |(report, id): &(&TestReport, &str)| passes(base, report, id);
    if is_whole && failing.iter().any(is_known) {
        let base_alone = tools.tests_with(Side::Before, &[], &alone);
        if base_alone.is_ok_and(|base_alone| failing.iter().any(|(report, id)| passes(&base_alone, report, id))) {
            return Ok(reports);
        }
    }
    tools.tests(Side::After)
}

fn passes(reports: &[TestReport], of: &TestReport, id: &str) -> bool {
    let same = reports.iter().find(|report| (&report.runner, &report.project) == (&of.runner, &of.project));
    let tests = same.map(|report| report.tests.as_slice()).unwrap_or_default();
    tests.iter().any(|test| test.id == id && test.outcome == TestOutcome::Passed)
}

fn is_failure(outcome: TestOutcome) -> bool {
    match outcome {
        TestOutcome::Failed | TestOutcome::Errored => true,
        TestOutcome::Passed | TestOutcome::Skipped => false,
    }
}
