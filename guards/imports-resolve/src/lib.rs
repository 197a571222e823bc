//! G17: what a change imports is there: files, modules, names and packages.

mod judge;
mod rules;
mod say;
mod touched;

use guard_sdk::{About, Capability, Change, Guard, Need, Stage, Verdict, guard};
use serde::Deserialize;

use judge::Judge;
use touched::Touched;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Packages that need no manifest.
    known: Vec<String>,
}

pub struct ImportsResolve;

impl Guard for ImportsResolve {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G17",
        promise: "Every import that the change adds means a file, a name or a package that is there.",
        stages: &[Stage::Content],
        globs: resolution::GLOBS,
        needs: &[
            Need::new(Capability::Repo, "to look for the files and names that imports mean"),
            Need::new(Capability::Modules, "to ask what files import and what they offer"),
            Need::new(Capability::Facts, "to compare the packages that imports name with what the manifests declare"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_imports.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let touched: Vec<Touched> = change.files().filter_map(Touched::new).collect();
        if touched.is_empty() {
            return Ok(Verdict::not_applicable("no file with imports is added or changed"));
        }
        let mut judge = Judge::new(change, &settings.known);
        let findings = touched.iter().flat_map(|file| judge.file(file)).collect();
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(ImportsResolve);
