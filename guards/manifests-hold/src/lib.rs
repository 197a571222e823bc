//! What manifests and configurations name is in the tree.

mod commands;
mod development;
mod entry;
mod features;
mod features_of_cargo;
mod ignored;
mod judge;
mod minimum;
mod missing;
mod named;
mod placed;
mod published;
mod rules;
mod shadowed;
mod table;
mod too_new;
mod unbound;

use guard_sdk::files::Globs;
use guard_sdk::{About, Capability, Change, Guard, Need, Stage, Verdict, guard};
use serde::Deserialize;

use judge::Judge;
use resolution::language_of;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of manifests and configurations.
    ignore: Globs,
    /// Globs of files that only a build makes.
    generated: Globs,
}

pub struct ManifestsHold;

impl Guard for ManifestsHold {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "What manifests, configurations and Dockerfiles name is in the tree, and shipped code needs only what they promise.",
        stages: &[Stage::Content],
        needs: &[
            Need::new(Capability::Repo, "to see whether the files that manifests name exist"),
            Need::new(Capability::Modules, "to ask which functions the modules of entry points have"),
            Need::new(Capability::Facts, "to see which modules are those of other packages"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "manifests_hold.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let judge = Judge::new(change, &settings);
        let mut findings = Vec::new();
        let mut is_judged = false;
        for file in change.files().filter(|file| file.after().is_regular() && judge.is_concerned(file.path())) {
            let found = judge.touched(&file);
            is_judged |= found.is_some();
            findings.extend(found.unwrap_or_default());
        }
        for file in change.files().filter(|file| file.after().is_regular()) {
            is_judged |= language_of(file.path()).is_some();
            findings.extend(judge.program(&file));
        }
        findings.extend(judge.untouched());
        match change.withheld() {
            Some(path) => Err(format!("it needs the whole tree, and the pin does not grant {path}")),
            None if is_judged || !findings.is_empty() => Ok(Verdict::from_findings(findings)),
            None => {
                Ok(Verdict::not_applicable("the change touches no manifest, and takes nothing away that one names"))
            }
        }
    }
}

guard!(ManifestsHold);
