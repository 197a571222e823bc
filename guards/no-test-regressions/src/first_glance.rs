//! The nearest tests are run first: what they break rejects a change without the others.
//!
//! Only a red one decides here. That the nearest tests pass says nothing of the rest, which is run then.

use guard_sdk::{Change, Finding, Selection, Side, Test, TestOutcome, TestReport, log};
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
    log::info(format!("the nearest tests: {}", paths.join(", ")));
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
    // A test may need another that runs before it: only what passes on the base behind the same tests counts.
    let alone = Selection { paths: as_far_as_red(&now, &selection.paths), until_failure: false, seconds };
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

/// The files up to the last that has a red test, where files are run in the order of their names in the selection, or each by itself; all
/// where that is not known.
fn as_far_as_red(now: &[TestReport], paths: &[String]) -> Vec<String> {
    let in_order = |runner: &str| matches!(runner, "pytest" | "jest" | "vitest" | "node-test");
    let place = |report: &TestReport, test: &Test| match &test.path {
        Some(path) if in_order(&report.runner) => paths.iter().position(|known| known == path),
        Some(_) | None => None,
    };
    let red = now.iter().flat_map(|report| report.tests.iter().map(move |test| (report, test)));
    let places: Option<Vec<usize>> =
        red.filter(|(_, test)| is_failure(test.outcome)).map(|(report, test)| place(report, test)).collect();
    let last = places.and_then(|places| places.into_iter().max());
    paths[..last.map_or(paths.len(), |last| last + 1)].to_vec()
}

fn is_failure(outcome: TestOutcome) -> bool {
    match outcome {
        TestOutcome::Failed | TestOutcome::Errored => true,
        TestOutcome::Passed | TestOutcome::Skipped => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_run_as_far_as_red() {
        let paths = ["b", "a", "c"].map(str::to_owned);
        let far = |runner: &str, red: &[Option<&str>]| {
            let test = |path: &Option<&str>| Test {
                id: "x".to_owned(),
                path: path.map(str::to_owned),
                outcome: TestOutcome::Failed,
                detail: String::new(),
            };
            let tests = red.iter().map(test).collect();
            let (runner, project, output) = (runner.to_owned(), String::new(), String::new());
            as_far_as_red(&[TestReport { runner, project, not_run: None, tests, is_complete: false, output }], &paths)
        };
        assert_eq!(far("pytest", &[Some("a")]), ["b", "a"]);
        assert_eq!(far("pytest", &[Some("a"), Some("b")]), ["b", "a"]);
        // Where it stands in the order is not known: of a file that was not named, of a test without a file, of a runner with an order of its own.
        for (runner, red) in [("pytest", Some("d")), ("go-test", None), ("minitest", Some("b"))] {
            assert_eq!(far(runner, &[Some("b"), red]), paths, "{runner}");
        }
    }
}
