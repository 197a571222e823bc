//! G26: the tests go over the lines that a change brings.

mod lines;
mod rules;
mod say;

use guard_sdk::{About, Capability, Change, Denied, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use lines::Lines;

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    seconds: u32,
    threshold: u32,
}

pub struct LinesRun;

impl Guard for LinesRun {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G26",
        promise: "The tests go over the lines of code that a change brings.",
        stages: &[Stage::Command],
        needs: &[
            Need::new(
                Capability::Toolchain,
                "to run the tests on the candidate with their lines counted, in a sandbox",
            ),
            Need::new(Capability::Repo, "to find the tests that speak of what changes, which are run first"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_lines_run.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut lines = Lines::new(change);
        if lines.is_empty() {
            return Ok(Verdict::not_applicable("the change touches no line of code in a function"));
        }
        lines.ask(change, settings.seconds).map_err(unanswered)?;
        for (name, count) in lines.counts() {
            log::metric(name, count as f64);
        }
        let score = lines.score();
        if let Some(score) = score {
            log::metric("lines-run", score);
        }
        let rejects = score.is_some_and(|score| score < f64::from(settings.threshold));
        Ok(Verdict::from_findings(say::findings(&lines, rejects)))
    }
}

guard!(LinesRun);

fn unanswered(why: Denied) -> String {
    format!("the tests of the candidate have no result: {}", why.reason())
}
