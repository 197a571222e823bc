//! G25: the tests notice when a changed line is broken.

mod edits;
mod mutants;
mod rules;
mod runs;
mod say;
mod statements;
mod tokens;
mod unnoticed;

use guard_sdk::{About, Capability, Change, Denied, Guard, Need, Side, Stage, Verdict, guard, log};
use serde::Deserialize;

use runs::{Fate, Runs};
use say::Counts;

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    most: u32,
    seconds: u32,
    threshold: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { most: 40, seconds: 60, threshold: 0 }
    }
}

pub struct Mutants;

impl Guard for Mutants {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G25",
        promise: "The tests notice when a changed line is broken by a small edit.",
        stages: &[Stage::Command],
        needs: &[
            Need::new(Capability::Toolchain, "to run the tests on the candidate with one line edited, in a sandbox"),
            Need::new(Capability::Repo, "to find the tests that speak of what changes, which are run first"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_mutants.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mutants = mutants::mutants(change, settings.most as usize);
        if mutants.is_empty() {
            return Ok(Verdict::not_applicable("no changed line of code has an edit that this guard knows"));
        }
        let after = change.toolchain().tests(Side::After).map_err(unanswered)?;
        let mut runs = Runs::new(change, &after, settings.seconds).map_err(unanswered)?;
        if !runs.have_tests() {
            return Ok(Verdict::not_applicable("no test passes on the candidate that could notice anything"));
        }
        let fates: Vec<(mutants::Mutant, Fate)> = mutants
            .into_iter()
            .map(|mutant| {
                let fate = runs.fate(&mutant);
                (mutant, fate)
            })
            .collect();
        let counts = Counts::new(&fates);
        for (name, count) in [("killed", counts.killed), ("survived", counts.survived), ("not-run", counts.not_run)] {
            log::metric(name, count as f64);
        }
        let score = counts.score();
        if let Some(score) = score {
            log::metric("mutation-score", score);
        }
        let rejects = score.is_some_and(|score| score < f64::from(settings.threshold));
        Ok(Verdict::from_findings(say::findings(&fates, rejects)))
    }
}

guard!(Mutants);

fn unanswered(why: Denied) -> String {
    format!("the tests of the candidate have no result: {}", why.reason())
}
