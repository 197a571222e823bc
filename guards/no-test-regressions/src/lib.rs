//! G8: no test that passed on the base fails, errors or disappears on the candidate.

mod asked;
mod compare;
mod names;
mod rules;
mod say;

use guard_sdk::{About, Capability, Change, Denied, Guard, Need, Side, Stage, TestOutcome, TestReport, Verdict, guard};
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

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    lost: Lost,
    rewritten: Rewritten,
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
        needs: &[Need::of(
            Capability::Toolchain,
            "to run the project's tests on the base and on the candidate, in a sandbox",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_test_regression.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let tools = change.toolchain();
        let base = tools.tests(Side::Before).map_err(|why| unanswered("the base", why))?;
        if !base.iter().any(|report| passed(report).next().is_some()) {
            return Ok(Verdict::not_applicable(nothing_to_hold(&base)));
        }
        let after = tools.tests(Side::After).map_err(|why| unanswered("the candidate", why))?;
        let compared = Compared::of(&base, &after);
        let base_tests = match settings.rewritten == Rewritten::Ignore && compared.lost.is_empty() {
            true => Vec::new(),
            false => tools.base_tests().map_err(|why| unanswered("the candidate under the base's tests", why))?,
        };
        let task = change.task();
        Ok(Verdict::from_findings(say::findings(&compared, &base_tests, task.as_ref(), &settings)))
    }
}

guard!(NoTestRegressions);

fn passed(report: &TestReport) -> impl Iterator<Item = &str> {
    report.tests.iter().filter(|test| test.outcome == TestOutcome::Passed).map(|test| test.id.as_str())
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
        let why = match (&report.not_run, report.is_complete) {
            (Some(why), _) => why.clone(),
            (None, true) => "no test passes on the base".into(),
            (None, false) => format!("the tests do not run on the base: {}", say::last_line(&report.output)),
        };
        format!("{}: {why}", say::suite(report))
    });
    reasons.collect::<Vec<_>>().join("; ")
}
