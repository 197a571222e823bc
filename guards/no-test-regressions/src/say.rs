//! Findings of what was compared.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use guard_sdk::{Change, Finding, Severity, Test, TestOutcome, TestReport};
use outline::TestWishes;

use crate::allowed_loss::allows_loss;
use crate::compare::{Compared, Loss};
use crate::deleted::{self, Deleted, PutBack};
use crate::{Lost, Rewritten, Settings, names};

/// Tests that are told one by one; a model reads no more.
const MOST: usize = 100;
/// Of a failure's text, in bytes.
const DETAIL: usize = 700;

pub fn findings(compared: &Compared, base_tests: &[TestReport], change: &Change, settings: &Settings) -> Vec<Finding> {
    let under_base: BTreeMap<&str, &Test> =
        base_tests.iter().flat_map(|report| &report.tests).map(|test| (test.id.as_str(), test)).collect();
    let mut findings: Vec<Finding> = compared.broken.iter().map(|(base, now)| broken(base, *now)).collect();
    findings.extend(compared.unknown.iter().map(|(now, tests)| unknown(now, *tests)));
    findings.extend(broken_tests(compared));
    let task = change.task();
    // A task is held to its words; of a person's message it is enough that it speaks of this, and it is said all the same.
    let wishes = LazyCell::new(|| TestWishes::from_texts(change.wishes().iter().map(String::as_str)));
    let is_meant =
        |test: &Test| task.is_none() && (wishes.to_lose() || wishes.to_remove_what_is_called(names::bare(&test.id)));
    let severity = |is_mild: bool| match is_mild || settings.lost == Lost::Warn {
        true => Severity::Warning,
        false => Severity::Error,
    };
    // Of tests that nobody put back nothing is known.
    let were_put_back = !base_tests.is_empty() && base_tests.iter().all(|report| report.not_run.is_none());
    let mut gone = Vec::new();
    for (test, loss) in compared.lost.iter().filter(|(test, _)| !allows_loss(task.as_ref(), test)) {
        let put_back = PutBack::new(under_base.get(test.id.as_str()).map(|test| test.outcome));
        match loss {
            Loss::Deleted if put_back == PutBack::Passes && replaced(compared, test) => findings.push(at(
                test,
                Finding::warning("test-replaced", format!("{} is gone, and new tests stand in its place", test.id)),
            )),
            // What it calls went with it. Whether that may go is for guards that read the code.
            Loss::Deleted => {
                let went_with_code = task.is_none() && were_put_back && put_back == PutBack::DoesNotRun;
                gone.push(Deleted { test, put_back, severity: severity(went_with_code || is_meant(test)) });
            }
            Loss::Skipped => findings.push(Finding { severity: severity(is_meant(test)), ..skipped(test) }),
        }
    }
    findings.extend(deleted::findings(&gone));
    if settings.rewritten != Rewritten::Ignore {
        let told = |id: &str| {
            compared.failing.iter().any(|test| test.id == id) || compared.lost.iter().any(|(test, _)| test.id == id)
        };
        let failed = under_base.values().filter(|test| compared.passed_on_base(&test.id));
        let failed = failed.filter(|test| matches!(test.outcome, TestOutcome::Failed | TestOutcome::Errored));
        let changed = failed.filter(|test| !told(&test.id)).map(|test| rewritten(test));
        let untold = base_tests.iter().filter(|report| report.not_run.is_none() && !report.is_complete).map(do_not_run);
        for finding in changed.chain(untold) {
            findings.push(if settings.rewritten == Rewritten::Warn { as_warning(finding) } else { finding });
        }
    }
    if findings.len() > MOST {
        let more = findings.len() - MOST;
        findings.truncate(MOST);
        findings.push(Finding::error("more", format!("{more} more tests of the base do not hold")));
    }
    findings.extend(compared.not_run.iter().map(|report| not_run(report)));
    findings
}

/// Of files that cannot be run any more, and of tests that fail.
pub fn broken_tests(compared: &Compared) -> Vec<Finding> {
    let unrunnable = compared.unrunnable.iter().map(|(error, gone)| unrunnable(error, *gone));
    unrunnable.chain(compared.failing.iter().map(|test| failing(test))).collect()
}

/// What was not run, for one of the nearest tests failed: of `all` tests that passed on the base, `told` have a result.
pub fn rest(all: usize, told: usize) -> Option<Finding> {
    let left = all.checked_sub(told).filter(|left| *left > 0)?;
    let tests = if left == 1 {
        "1 other test of the base was".to_owned()
    } else {
        format!("{left} other tests of the base were")
    };
    let message = format!("{tests} not run: the nearest ones came first, and they show already what is broken");
    Some(Finding::info("not-run", message))
}

/// As many new tests pass in the place as went from it.
fn replaced(compared: &Compared, test: &Test) -> bool {
    let place = names::place(&test.id);
    let new = compared.new.iter().filter(|new| names::place(&new.id) == place).count();
    let gone = compared.lost.iter().filter(|(gone, _)| names::place(&gone.id) == place).count();
    new >= gone
}

fn failing(test: &Test) -> Finding {
    let how = if test.outcome == TestOutcome::Errored { "cannot run" } else { "fails" };
    at(
        test,
        Finding::error("test-fails", format!("{} passed on the base and {how} now{}", test.id, detail(&test.detail))),
    )
    .help("Fix the code so that this test passes again. Leave the test as it is.")
}

fn skipped(test: &Test) -> Finding {
    at(test, Finding::error("test-skipped", format!("{} passed on the base and is skipped now", test.id)))
        .help("Let the test run as before and fix the code so that it passes.")
}

fn rewritten(test: &Test) -> Finding {
    let message = format!(
        "the change rewrites {}: as the base has it, it fails on the new code{}",
        test.id,
        detail(&test.detail)
    );
    at(test, Finding::error("test-rewritten", message))
        .help("If the task did not ask for other behaviour, put the test back as it was and fix the code instead.")
}

/// The base's versions of the tests, on the new code.
fn do_not_run(report: &TestReport) -> Finding {
    let message = format!(
        "the tests of {}, as the base has them, do not run on the new code\n{}",
        suite(report),
        end(&report.output)
    );
    Finding::error("test-rewritten", message)
        .help("If the task did not ask for another interface, keep the one that the tests of the base use.")
}

fn unknown(now: &TestReport, tests: usize) -> Finding {
    let tests = if tests == 1 { "1 test".to_string() } else { format!("{tests} tests") };
    let message = format!(
        "the runner of {} fails, on the base too, and tells nothing of {tests} that passed there\n{}",
        suite(now),
        end(&now.output)
    );
    Finding::error("suite-broken", message).help("Fix what keeps the tests from running to their end.")
}

fn broken(base: &TestReport, now: Option<&TestReport>) -> Finding {
    let why = match now {
        None => "the project has no tests any more that can be run".to_string(),
        Some(TestReport { not_run: Some(why), .. }) => why.clone(),
        Some(report) => format!("the runner itself fails\n{}", end(&report.output)),
    };
    Finding::error("suite-broken", format!("the tests of {} ran on the base and do not run now: {why}", suite(base)))
        .help("Fix what keeps the tests from running: an import, the build, or the runner's settings.")
}

fn unrunnable(error: &Test, gone: usize) -> Finding {
    let tests = if gone == 1 { "1 test".to_string() } else { format!("{gone} tests") };
    at(
        error,
        Finding::error(
            "suite-broken",
            format!("{} cannot be run any more, and {tests} that passed with it{}", error.id, detail(&error.detail)),
        ),
    )
    .help("Fix what keeps the file from being loaded: usually a name that is gone, or a wrong import.")
}

fn not_run(report: &TestReport) -> Finding {
    let why = report.not_run.as_deref().unwrap_or_default();
    Finding::info("not-run", format!("the tests of {} were not run: {why}", suite(report)))
}

fn as_warning(finding: Finding) -> Finding {
    Finding { severity: guard_sdk::Severity::Warning, ..finding }
}

fn at(test: &Test, finding: Finding) -> Finding {
    match &test.path {
        Some(path) => finding.file(path),
        None => finding,
    }
}

/// `pytest in backend`.
pub fn suite(report: &TestReport) -> String {
    if report.project.is_empty() { report.runner.clone() } else { format!("{} in {}", report.runner, report.project) }
}

pub fn last_line(output: &str) -> &str {
    output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("the runner says nothing").trim()
}

fn detail(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(":\n{}", &text[..text.floor_char_boundary(DETAIL)]) }
}

/// The end of an output.
fn end(output: &str) -> &str {
    &output[output.ceil_char_boundary(output.len().saturating_sub(DETAIL))..]
}
