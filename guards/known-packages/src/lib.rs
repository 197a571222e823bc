//! G12: configuration names only packages that a manifest, the workspace or a lock file has.

mod config;
mod ground;
mod name;
mod nearest;
mod python;
mod rules;
mod script;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{About, Capability, Change, Ecosystem, File, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use config::Config;
use ground::Ground;
use script::Named;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Packages that need no manifest.
    known: Vec<String>,
}

pub struct KnownPackages;

impl Guard for KnownPackages {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G12",
        promise: "Configuration newly names only packages that a manifest, the workspace or a lock file has.",
        stages: &[Stage::Content],
        globs: config::GLOBS,
        needs: &[
            Need::new(Capability::Facts, "to compare what configuration names with what the manifests declare"),
            Need::new(Capability::Repo, "to look into lock files, and for modules of the project's own"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_config_grounding.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut reasons = Vec::new();
        let mut judged = false;
        let mut ground = None;
        for file in change.files().filter(|file| file.after().is_regular()) {
            let Some(config) = config::from_path(file.path()) else { continue };
            if is_material(file.path()) {
                reasons.push(format!("{}: it stands among test data, templates or code of others", file.path()));
                continue;
            }
            let named = match newly_named(file, config, &settings) {
                Ok(named) => named,
                Err(why) => {
                    reasons.push(format!("{}: {why}", file.path()));
                    continue;
                }
            };
            judged = true;
            if named.is_empty() {
                continue;
            }
            let ground = ground.get_or_insert_with(|| Ground::new(change));
            let ecosystem = if config == Config::Python { Ecosystem::Python } else { Ecosystem::Npm };
            if !ground.can_judge(file.path(), &ecosystem) {
                reasons.push(format!("{}: no manifest above it can be read for its packages", file.path()));
                continue;
            }
            findings.extend(invented(file, named, ground, &ecosystem));
        }
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        reasons.iter().for_each(log::info);
        match (judged, reasons.is_empty()) {
            (true, _) => Ok(Verdict::from_findings(findings)),
            (false, true) => Ok(Verdict::not_applicable("no configuration that names packages is added or changed")),
            (false, false) => Ok(Verdict::not_applicable(reasons.join("; "))),
        }
    }
}

guard!(KnownPackages);

/// What the candidate's file names and the base's did not.
fn newly_named(file: File, config: Config, settings: &Settings) -> Result<Vec<(Named, u32)>, String> {
    let text = file.after().text().map_err(|why| why.reason())?;
    let named = named(file.path(), &text, config).ok_or("it cannot be read")?;
    let old_path = file.old_path().unwrap_or(file.path());
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let old = crate::named(old_path, &before, config::from_path(old_path).unwrap_or(config)).unwrap_or_default();
    let is_new = |new: &Named| {
        !old.iter().any(|old| old.packages.iter().any(|package| new.packages.contains(package)))
            && !new.packages.iter().any(|package| settings.known.contains(package))
    };
    let line =
        |at: usize| text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    let mut new: Vec<(Named, u32)> = named
        .into_iter()
        .filter(is_new)
        .map(|named| (line(named.at), named))
        .map(|(line, named)| (named, line))
        .collect();
    new.sort_by(|a, b| (a.0.at, &a.0.text).cmp(&(b.0.at, &b.0.text)));
    new.dedup_by(|a, b| a.0.packages == b.0.packages);
    Ok(new)
}

fn named(path: &str, text: &str, config: Config) -> Option<Vec<Named>> {
    match config {
        Config::Script(tool) => script::from_script(path, text, tool),
        Config::Json(tool) => script::from_json(text, tool),
        Config::Python => {
            let imports = python::imports(text).into_iter().chain(python::plugins(path, text));
            Some(imports.map(|(module, at)| Named { text: module.clone(), packages: vec![module], at }).collect())
        }
    }
}

fn invented(file: File, named: Vec<(Named, u32)>, ground: &Ground, ecosystem: &Ecosystem) -> Vec<Finding> {
    let path = file.path();
    let there = |package: &String| match ecosystem {
        Ecosystem::Python => ground.has_python(path, package),
        _ => ground.has_npm(path, package),
    };
    let missing: Vec<&(Named, u32)> = named.iter().filter(|(named, _)| !named.packages.iter().any(there)).collect();
    let packages: Vec<&str> = missing.iter().flat_map(|(named, _)| &named.packages).map(String::as_str).collect();
    let locked = ground.locked(&packages, ecosystem);
    let missing =
        missing.into_iter().filter(|(named, _)| !named.packages.iter().any(|package| locked.contains(package)));
    let finding = |(named, line): &(Named, u32)| {
        let name = named.packages.last().unwrap_or(&named.text);
        let message = format!("{path} names {}, and no manifest or lock file has the package {name}", named.text);
        let help = format!(
            "Name only packages that are declared, or leave this one out. Declared: {}.",
            ground.declared(path, ecosystem, name)
        );
        Finding::error("package-invented", message).at(path, *line).help(help)
    };
    missing.map(finding).collect()
}

/// Test data, templates, and what others wrote.
fn is_material(path: &str) -> bool {
    matches!(kind_of(path), Kind::TestData | Kind::Template | Kind::Vendored)
}
