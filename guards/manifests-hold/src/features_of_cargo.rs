//! Features of Cargo that code asks for and no manifest has (<https://doc.rust-lang.org/cargo/reference/features.html>).

use configuration::{Format, key, settings};
use guard_sdk::files::relative::{above, folder};
use guard_sdk::{File, Finding};
use resolution::{Resolver, Tree};

pub fn findings(before: &Resolver, after: &Resolver, file: &File) -> Vec<Finding> {
    let path = file.path();
    let Some((manifest, known)) = of(after.tree(), path).filter(|_| path.ends_with(".rs")) else { return Vec::new() };
    let Ok(added) = file.added_lines() else { return Vec::new() };
    let old = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let mut findings: Vec<Finding> = Vec::new();
    for line in added.iter().filter(|line| !line.text.trim_start().starts_with("//")) {
        for name in asked(&line.text) {
            let is_known = |known: &[String]| known.iter().any(|one| *one == key(name));
            // What the base asked for and lacked is no news.
            let is_old = || {
                let lacked = of(before.tree(), path).is_none_or(|(_, known)| !is_known(&known));
                lacked && old.lines().any(|line| asked(line).contains(&name))
            };
            if !is_known(&known) && !is_old() {
                let message = format!("the code asks for the feature `{name}`, which {manifest} does not have");
                let help = format!("Name a feature that {manifest} has, or add it under [features] in the same patch.");
                findings.push(Finding::error("feature-missing", message).at(path, line.number).help(help));
            }
        }
    }
    findings.dedup_by(|a, b| a.message == b.message);
    findings
}

/// Names in `cfg(feature = "name")`.
fn asked(line: &str) -> Vec<&str> {
    if !line.contains("cfg") {
        return Vec::new();
    }
    let parts = line.split("feature = \"").skip(1);
    parts.filter_map(|part| part.split_once('"').map(|(name, _)| name)).collect()
}

/// The manifest of the file's package, and every feature that it has: its own, and its optional dependencies.
fn of(tree: &Tree, path: &str) -> Option<(String, Vec<String>)> {
    let manifests =
        above(folder(path)).map(|at| if at.is_empty() { "Cargo.toml".to_owned() } else { format!("{at}/Cargo.toml") });
    let manifest = manifests.into_iter().find(|manifest| tree.is_file(manifest))?;
    let text = tree.text(&manifest)?;
    let all = settings(&text, Format::Toml)?;
    // Features without items leave no setting: they stand in the text alone.
    let listed =
        text.lines().filter_map(|line| line.split_once('=').map(|(name, _)| key(name.trim().trim_matches('"'))));
    let optional =
        all.iter().filter(|one| one.keys.last().is_some_and(|last| last == "optional") && one.value == "true");
    let optional = optional.filter_map(|one| one.keys.iter().rev().nth(1).cloned());
    // A manifest without a package is that of a workspace, and a build script may say what it likes.
    let has_package = all.iter().any(|one| one.keys.first().is_some_and(|first| first == "package"));
    let says = tree.text(&manifest.replace("Cargo.toml", "build.rs")).is_some_and(|text| text.contains("feature="));
    (has_package && !says).then(|| (manifest.clone(), listed.chain(optional).collect()))
}
