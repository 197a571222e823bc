//! G18: no name is used that nothing binds, and no import is dropped that is still used.

mod bindings;
mod origins;
mod rules;
mod shared_scope;
mod sides;
mod suspect;

use std::collections::BTreeSet;

use guard_generated::is_material;
use guard_sdk::{About, Capability, Change, Finding, Guard, Need, Side, Stage, Verdict, files, guard};
use serde::Deserialize;

use sides::{NotJudged, Sides};
use suspect::Suspect;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Names that the environment binds.
    known: BTreeSet<String>,
}

pub struct NoUndefinedNames;

impl Guard for NoUndefinedNames {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G18",
        promise: "No name is used that nothing binds, and no import is dropped that is still used.",
        stages: &[Stage::Content],
        globs: files::CODE,
        needs: &[Need::new(Capability::Repo, "to look whether another file of the candidate provides a name")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_no_undefined_names.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let (mut findings, mut judged) = (Vec::new(), false);
        for file in change.files().filter(|file| file.after().is_regular() && !is_material(file.path())) {
            let language = change.languages(Side::After).language(file.path());
            if !language.is_some_and(|language| language.has_names) {
                continue;
            }
            judged = true;
            let unknown = |suspect: &Suspect| !settings.known.contains(&suspect.name);
            match Sides::new(change, file).suspects() {
                Ok(suspects) => {
                    findings.extend(suspects.into_iter().filter(unknown).map(|suspect| suspect.finding(file.path())));
                }
                Err(NotJudged::Unknown) => {}
                Err(NotJudged::BeyondLimit) => {
                    let message = "the names of this file were not judged: the change is larger than one call can read";
                    findings.push(Finding::info("not-judged", message).file(file.path()));
                }
                Err(NotJudged::Failed(why)) => return Err(format!("{}: {why}", file.path())),
            }
        }
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        match judged {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("no file is added or changed in a language whose names are known")),
        }
    }
}

guard!(NoUndefinedNames);
