//! The checks that a change has to pass are not loosened by it.

mod commands;
mod compare;
mod entries;
mod hooks;
mod inherited;
mod judge;
mod leaving;
mod options;
mod position;
mod purpose;
mod reviews;
mod rules;
mod scripts;
mod silenced;
mod tools;
mod workflow;

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{About, Capability, Change, Guard, Need, Stage, Verdict, guard};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct ChecksKept;

impl Guard for ChecksKept {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "The checks that a change has to pass are not loosened by it: limits, rules, strictness, hooks and steps of workflows.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Repo,
            "to see whether another workflow still runs a check, and which files a checker leaves out",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "checks_kept.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let files = change.files().filter(|file| {
            // Configurations among test data are what a linter's own tests read.
            let kind = kind_of(file.path());
            !settings.ignore.matches(file.path())
                && !matches!(kind, Kind::TestData | Kind::Template | Kind::Vendored | Kind::Example)
        });
        let judged = judge::files(change, files.collect());
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        Ok(match judged {
            Some(findings) => Verdict::from_findings(findings),
            None => Verdict::not_applicable("no configuration of a checker, no workflow and no hook is changed"),
        })
    }
}

guard!(ChecksKept);
