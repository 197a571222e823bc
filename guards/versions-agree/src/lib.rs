//! One version in several places moves in all of them.

mod package;
mod place;
mod rules;

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{About, Capability, Change, Finding, Guard, Need, Severity, Side, Stage, Verdict, guard};
use serde::Deserialize;

use place::Said;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct VersionsAgree;

impl Guard for VersionsAgree {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "One version that a package says in several places moves in all of them.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Repo, "to find the other places in which a package says its version")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "versions_agree.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let moved = moved(change, &settings);
        if moved.is_empty() {
            return Ok(Verdict::not_applicable("the change moves no version of a package"));
        }
        let findings = judge(change, &moved, &settings);
        match change.withheld() {
            Some(path) => Err(format!("it needs the whole tree, and the pin does not grant {path}")),
            None => Ok(Verdict::from_findings(findings)),
        }
    }
}

guard!(VersionsAgree);

/// A version that the change moves.
struct Moved<'c> {
    path: &'c str,
    was: String,
    is: Said,
    /// The folder of its package.
    package: &'c str,
}

fn is_concerned(path: &str, settings: &Settings) -> bool {
    let is_material =
        matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Example | Kind::Template | Kind::Vendored);
    place::may_say(path) && !is_material && !settings.ignore.matches(path)
}

fn moved<'c>(change: &'c Change, settings: &Settings) -> Vec<Moved<'c>> {
    let mut found = Vec::new();
    for file in change.files().filter(|file| is_concerned(file.path(), settings)) {
        let (true, true) = (file.before().is_regular(), file.after().is_regular()) else { continue };
        let (Ok(before), Ok(after)) = (file.before().text(), file.after().text()) else { continue };
        let old = place::versions(file.old_path().unwrap_or(file.path()), &before);
        for new in place::versions(file.path(), &after) {
            let mut same = old.iter().filter(|old| old.name == new.name);
            // Of a name that stands several times nobody can say which became which.
            let (Some(was), None) = (same.next(), same.next()) else { continue };
            if was.version != new.version {
                let package = package::containing(&change.repo(package::SIDE), file.path());
                found.push(Moved { path: file.path(), was: was.version.clone(), is: new, package });
            }
        }
    }
    found
}

fn judge(change: &Change, moved: &[Moved], settings: &Settings) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (at, first) in moved.iter().enumerate() {
        let same = |other: &&Moved| other.package == first.package && other.was == first.was;
        // One finding for one version of one package.
        if moved[..at].iter().any(|other| same(&other)) {
            continue;
        }
        if let Some(other) = moved[at..].iter().filter(same).find(|other| other.is.version != first.is.version) {
            findings.push(differ(first, other));
            continue;
        }
        findings.extend(left_behind(change, first, settings));
    }
    findings
}

fn differ(first: &Moved, other: &Moved) -> Finding {
    let (a, b) = (&first.is, &other.is);
    let message =
        format!("{} moves the version {} to {}, and {} to {}", first.path, first.was, a.version, other.path, b.version);
    Finding::error("versions-differ", message)
        .at(first.path, a.line)
        .related(other.path, b.line..=b.line, format!("`{}` is {}", b.name, b.version))
        .help("Give both places the same version.")
}

/// Versions that many things begin with: that two places say the same one is chance.
const COMMON: [&str; 6] = ["0.0.0", "0.0.1", "0.1.0", "1.0.0", "1.0.1", "2.0.0"];

fn left_behind(change: &Change, moved: &Moved, settings: &Settings) -> Option<Finding> {
    let (before, after) = (change.repo(Side::Before), change.repo(Side::After));
    let globs = place::globs();
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let inside = |path: &&String| moved.package.is_empty() || path.starts_with(&format!("{}/", moved.package));
    let mut stale: Vec<(String, Said)> = Vec::new();
    for path in after.find(&globs, 2_000).iter().filter(inside) {
        if !is_concerned(path, settings) || package::containing(&before, path) != moved.package {
            continue;
        }
        let (Ok(old), Ok(new)) = (before.text(path), after.text(path)) else { continue };
        let said_it =
            |one: &Said| place::versions(path, &old).iter().any(|old| old.name == one.name && old.version == moved.was);
        let still = place::versions(path, &new).into_iter().find(|one| one.version == moved.was && said_it(one));
        stale.extend(still.map(|one| (path.clone(), one)));
    }
    let (first, said) = stale.first()?;
    let Moved { path, was, is, .. } = moved;
    let message = format!("{path} moves the version {was} to {}, and {first} still says {was}", is.version);
    let mut finding = Finding::error("version-left-behind", message).at(path, is.line).help(format!(
        "Set `{}` in line {} of {first} to {} as well, or leave the version alone.",
        said.name, said.line, is.version
    ));
    for (path, said) in &stale {
        finding = finding.related(path, said.line..=said.line, format!("`{}` is {}", said.name, said.version));
    }
    let is_common = COMMON.contains(&was.as_str());
    Some(Finding { severity: if is_common { Severity::Warning } else { Severity::Error }, ..finding })
}
