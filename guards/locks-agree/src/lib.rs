//! Lock files agree with their manifests, and digests with versions.

mod entries;
mod format;
mod lock;
mod manifest;
mod npm_range;
mod poetry;
mod problem;
mod rules;
mod workspace;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use lock::{Format, Lock};
use problem::news;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Beginnings of paths.
    ignore: Vec<String>,
}

pub struct LocksAgree;

impl Guard for LocksAgree {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G23",
        promise: "Lock files have what their manifests newly declare, and their digests belong to their versions.",
        stages: &[Stage::Content],
        globs: &[
            "Cargo.toml",
            "Cargo.lock",
            "package.json",
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "pyproject.toml",
            "poetry.lock",
            "uv.lock",
            "Pipfile",
            "Pipfile.lock",
            "go.mod",
            "go.sum",
            "Gemfile",
            "Gemfile.lock",
            "composer.json",
            "composer.lock",
        ],
        needs: &[
            Need::new(Capability::Facts, "to see what manifests declare"),
            Need::new(Capability::Repo, "to read the lock file that stands beside a manifest"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "locks_agree.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut reasons = Vec::new();
        let mut is_judged = false;
        let mut trees = None;
        for file in change.files().filter(|file| file.after().is_regular()) {
            if settings.ignore.iter().any(|start| file.path().starts_with(start.as_str())) || is_material(file.path()) {
                continue;
            }
            if let Some(format) = Format::from_path(file.path()) {
                match lock_file(&file, format) {
                    Ok(more) => {
                        is_judged = true;
                        findings.extend(more);
                    }
                    Err(why) => reasons.push(format!("{}: {why}", file.path())),
                }
            } else if manifest::is_manifest(file.path()) && file.before().is_regular() {
                let trees = trees.get_or_insert_with(|| manifest::Trees::new(change));
                if let Some(problems) = manifest::problems(change, &file, trees) {
                    is_judged = true;
                    findings.extend(problems.into_iter().map(|problem| problem.finding(file.path())));
                }
            }
        }
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        reasons.iter().for_each(log::info);
        match (is_judged, reasons.is_empty()) {
            (true, _) => Ok(Verdict::from_findings(findings)),
            (false, true) => {
                Ok(Verdict::not_applicable("no lock file, and no dependency of a manifest that has one, is changed"))
            }
            (false, false) => Ok(Verdict::not_applicable(reasons.join("; "))),
        }
    }
}

guard!(LocksAgree);

fn lock_file(file: &File, format: Format) -> Result<Vec<Finding>, String> {
    let text = file.after().text().map_err(|why| why.reason())?;
    let after = format::read(format, &text).ok_or("it is not written as its tool writes it")?;
    let before = if file.before().is_regular() { file.before().text().ok() } else { None };
    let before = before.and_then(|text| format::read(format, &text)).unwrap_or(Lock::default());
    let old = entries::problems(format, &before);
    let mut problems = entries::changes(format, &before, &after);
    problems.extend(entries::problems(format, &after));
    Ok(news(&old, problems).into_iter().map(|problem| problem.finding(file.path())).collect())
}

/// What tests read, and templates.
fn is_material(path: &str) -> bool {
    matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Template | Kind::Vendored)
}
