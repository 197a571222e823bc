//! Whether every test passes.

use guard_sdk::analysis::{Measurement, Point, Tree};
use guard_sdk::{Side, Test, TestOutcome, TestReport};

use crate::{folder, not_measured, unready, worth};

/// Failing tests of one project that are shown.
const MOST: usize = 12;

pub fn measure(tree: &Tree) -> Result<Measurement, String> {
    let reports = match tree.toolchain().tests(Side::After) {
        Ok(reports) => reports.into_iter().map(unready::tests).collect::<Vec<_>>(),
        Err(denied) => return not_measured(denied),
    };
    let well: Vec<bool> = reports.iter().filter(|report| is_run(report)).map(is_well).collect();
    if well.is_empty() {
        let reasons: Vec<String> =
            reports.iter().map(|report| format!("{}: {}", report.runner, why_not(report))).collect();
        return Ok(Measurement::NotMeasured(match reasons.is_empty() {
            true => "there is no project with tests that can be run here".to_owned(),
            false => reasons.join("; "),
        }));
    }
    let mut worth = worth(&well).into_iter();
    let mut points = Vec::new();
    for report in &reports {
        if is_run(report) {
            points.extend(from_report(report, worth.next().unwrap_or_default(), tree));
        } else {
            let message = format!("{} in {}: {}", report.runner, folder(&report.project), why_not(report));
            points.push(Point::part("not-run", 0, 0, message));
        }
    }
    Ok(Measurement::Measured(points))
}

/// A runner that found nothing to run says nothing.
fn is_run(report: &TestReport) -> bool {
    report.not_run.is_none() && !(report.tests.is_empty() && report.is_complete)
}

fn is_well(report: &TestReport) -> bool {
    report.is_complete && !report.tests.iter().any(is_failed)
}

fn is_failed(test: &Test) -> bool {
    matches!(test.outcome, TestOutcome::Failed | TestOutcome::Errored)
}

fn why_not(report: &TestReport) -> String {
    report.not_run.clone().unwrap_or_else(|| "it found no test".to_owned())
}

fn from_report(report: &TestReport, possible: u32, tree: &Tree) -> Vec<Point> {
    let failed: Vec<&Test> = report.tests.iter().filter(|test| is_failed(test)).collect();
    let (place, all) = (folder(&report.project), report.tests.len());
    if is_well(report) {
        return vec![Point::earned(
            "tests-pass",
            possible,
            format!("all {all} tests of {} pass in {place}", report.runner),
        )];
    }
    let message = match report.is_complete {
        true => format!("{} of {all} tests of {} fail in {place}", failed.len(), report.runner),
        false => format!("{} failed before it had run every test in {place}", report.runner),
    };
    let help = "Fix the code that these tests are about, not the tests.";
    let mut points = vec![Point::missed("tests-pass", possible, message, help)];
    for test in failed.into_iter().take(MOST) {
        let point = Point::part("test-fails", 0, 0, test.id.clone()).help(test.detail.trim());
        points.push(match test.path.as_deref().filter(|path| tree.has(path)) {
            Some(path) => point.at(path),
            None => point,
        });
    }
    points
}
