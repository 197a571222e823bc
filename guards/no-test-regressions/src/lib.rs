//! G8: no test that passed on the base fails, errors or disappears on the candidate.

mod allowed_loss;
mod compare;
mod deleted;
mod first_glance;
mod names;
mod rules;
mod say;

use guard_sdk::{
    About, Capability, Change, Denied, Guard, Need, Severity, Side, Stage, TestOutcome, TestReport, Verdict, guard,
};
use serde::Deserialize;

use compare::Compared;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Lost {
    #[default]
    Reject,
    Warn,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Rewritten {
    Reject,
    #[default]
    Warn,
    Ignore,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    lost: Lost,
    rewritten: Rewritten,
    /// Seconds for the nearest tests; with 0 all tests are run at once.
    nearest: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { lost: Lost::default(), rewritten: Rewritten::default(), nearest: 60 }
    }
}

pub struct NoTestRegressions;

impl Guard for NoTestRegressions {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G8",
        promise: "No test that passed on the base fails, errors or disappears on the candidate.",
        stages: &[Stage::Command],
        needs: &[
            Need::new(
                Capability::Toolchain,
                "to run the project's tests on the base and on the candidate, in a sandbox",
            ),
            Need::new(Capability::Repo, "to find the tests that speak of what changes, which are run first"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_test_regression.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let tools = change.toolchain();
        let base = tools.tests(Side::Before).map_err(|why| unanswered("the base", why))?;
        if base.iter().all(has_nothing_to_hold) {
            return Ok(Verdict::not_applicable(nothing_to_hold(&base)));
        }
        if let Some(red) = first_glance::red(change, &base, settings.nearest) {
            return Ok(Verdict::from_findings(red));
        }
        let after = tools.tests(Side::After).map_err(|why| unanswered("the candidate", why))?;
        let compared = Compared::new(&base, &after);
        let base_tests = match settings.rewritten == Rewritten::Ignore && compared.lost.is_empty() {
            true => Vec::new(),
            false => tools.base_tests().map_err(|why| unanswered("the candidate under the base's tests", why))?,
        };
        let findings = say::findings(&compared, &base_tests, change, &settings);
        let rejects = findings.iter().any(|finding| finding.severity == Severity::Error);
        match compared.untold.first() {
            Some(report) if !rejects => Err(format!(
                "the tests of {} run neither on the base nor on the candidate: {}",
                say::suite(report),
                say::last_line(&report.output)
            )),
            _ => Ok(Verdict::from_findings(findings)),
        }
    }
}

guard!(NoTestRegressions);

/// Whether it is known that no test of the base passes. Of a runner that failed that is not known; what was not run at all the host
/// answers for.
fn has_nothing_to_hold(report: &TestReport) -> bool {
    let passes = report.tests.iter().any(|test| test.outcome == TestOutcome::Passed);
    !passes && (report.is_complete || report.not_run.is_some())
}

fn unanswered(side: &str, why: Denied) -> String {
    format!("the tests of {side} have no result: {}", why.reason())
}

/// Why no test of the base can be lost.
fn nothing_to_hold(base: &[TestReport]) -> String {
    if base.is_empty() {
        return "no project of the change has tests that the host knows how to run".into();
    }
    let reasons = base.iter().map(|report| {
        let why = report.not_run.as_deref().unwrap_or("no test passes on the base");
        format!("{}: {why}", say::suite(report))
    });
    reasons.collect::<Vec<_>>().join("; ")
}
