//! G18: no name is used that nothing binds, and no import is dropped that is still used.

mod elsewhere;
mod javascript;
mod language;
mod python;
mod rules;
mod rust;
mod suspect;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use guard_generated::is_generated;
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Status, Verdict, guard, log};
use scopes::is_material;
use serde::Deserialize;

use language::Language;
use suspect::Suspect;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Names that the environment binds.
    known: BTreeSet<String>,
}

pub struct NoUndefinedNames;

/// Fuel that one call may spend on reading the files of a small change: half of what a host gives, since what a text costs is only about known.
const FUEL: u64 = 1_000_000_000;

impl Guard for NoUndefinedNames {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G18",
        promise: "No name is used that nothing binds, and no import is dropped that is still used.",
        stages: &[Stage::Content],
        globs: Language::GLOBS,
        needs: &[Need::of(Capability::Repo, "to look whether another file of the candidate provides a name")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_no_undefined_names.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let (mut findings, mut fuel, mut judged) = (Vec::new(), change.scaled(FUEL), false);
        for file in change.files().filter(|file| file.after().is_regular() && !is_material(file.path())) {
            let Some(language) = Language::of(file.path()) else { continue };
            let sides = match Sides::of(file, language) {
                Ok(Some(sides)) => sides,
                Ok(None) => continue,
                Err(why) => {
                    log::info(format!("{}: {why}", file.path()));
                    continue;
                }
            };
            judged = true;
            let cost = (sides.before.len() + sides.after.len()) as u64 * language.cost();
            if cost > fuel {
                let message = "the names of this file were not judged: the change is larger than one call can read";
                findings.push(Finding::info("not-judged", message).file(file.path()));
                continue;
            }
            fuel -= cost;
            let suspects = match language {
                Language::Python => python::suspects(change, &sides),
                Language::JavaScript => javascript::suspects(change, &sides),
                Language::Rust => rust::suspects(change, &sides),
            };
            let unknown = |suspect: &Suspect| !settings.known.contains(&suspect.name);
            findings.extend(suspects.into_iter().filter(unknown).map(|suspect| suspect.finding(file.path())));
        }
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        match judged {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("no Python, JavaScript, TypeScript or Rust is added or changed")),
        }
    }
}

guard!(NoUndefinedNames);

/// Both sides of a file.
pub struct Sides<'c> {
    pub path: &'c str,
    pub old_path: &'c str,
    /// Empty for a file that is new.
    pub before: String,
    pub after: String,
    /// Runs of lines that the change writes.
    changed: Vec<RangeInclusive<u32>>,
}

impl<'c> Sides<'c> {
    /// None when the change brings no line into the file, or when a program wrote it.
    fn of(file: File<'c>, language: Language) -> Result<Option<Self>, String> {
        let after = file.after().text().map_err(|why| why.reason().to_string())?;
        let old_path = file.old_path().unwrap_or(file.path());
        let had =
            file.before().is_regular() && file.status() != Status::Added && Language::of(old_path) == Some(language);
        let before = if had { file.before().text().map_err(|why| why.reason().to_string())? } else { String::new() };
        if before == after || (is_generated(&after) && (before.is_empty() || is_generated(&before))) {
            return Ok(None);
        }
        Ok(Some(Sides { path: file.path(), old_path, before, after, changed: file.changed_lines() }))
    }

    /// Whether such a line was only moved: the base has it as often.
    pub fn moves(&self, text: &str) -> bool {
        let count = |side: &str| side.lines().filter(|line| line.trim() == text.trim()).count();
        count(&self.before) >= count(&self.after)
    }

    /// Whether the base has the line. A comment for linters counts only there: a change does not silence what it writes.
    pub fn keeps(&self, line: u32) -> bool {
        let next = self.changed.partition_point(|run| *run.end() < line);
        self.changed.get(next).is_none_or(|run| *run.start() > line)
    }
}
