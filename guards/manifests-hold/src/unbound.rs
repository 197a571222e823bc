//! Dependencies that had a version and have any now, and those that stand on the machine of whoever made the change.

use configuration::{Format, Setting, settings};
use guard_sdk::files::relative::{folder, join};
use guard_sdk::{File, Finding};

/// Tables of dependencies, by the name of the manifest.
#[rustfmt::skip]
const TABLES: &[(&str, &[&str])] = &[
    ("package.json", &["dependencies", "devdependencies", "peerdependencies", "optionaldependencies"]),
    ("composer.json", &["require", "require-dev"]),
    ("Cargo.toml", &["dependencies", "dev-dependencies", "build-dependencies"]),
];

pub fn findings(file: &File) -> Vec<Finding> {
    let (path, name) = (file.path(), file.name());
    let (Ok(after), true) = (file.after().text(), file.before().is_regular()) else { return Vec::new() };
    let before = file.before().text().unwrap_or_default();
    match name {
        "go.mod" => outside(path, &before, &after, |line| line.split_once("=>").map(|(_, place)| place.trim())),
        "Gemfile" => outside(path, &before, &after, |line| {
            let (_, rest) = line.trim().strip_prefix("gem ")?.split_once("path:")?;
            Some(rest.trim().trim_matches(['"', '\'']))
        }),
        _ => {
            let Some((_, tables)) = TABLES.iter().find(|(manifest, _)| *manifest == name) else { return Vec::new() };
            let read = |text: &str| settings(text, Format::from_path(path)).unwrap_or_default();
            unbound(path, tables, &read(&before), &read(&after))
        }
    }
}

fn unbound(path: &str, tables: &[&str], before: &[Setting], after: &[Setting]) -> Vec<Finding> {
    let is_of_table = |one: &&Setting| {
        let key = |at: usize| one.keys.get(at).map(|key| key.to_ascii_lowercase()).unwrap_or_default();
        let is_version = one.keys.len() == 2 || (one.keys.len() == 3 && key(2) == "version");
        is_version && tables.contains(&key(0).as_str())
    };
    let is_any = |value: &str| matches!(value.trim(), "*" | "latest" | "x" | ">=0" | ">=0.0.0" | "");
    let is_of = |old: &&Setting, one: &Setting| {
        let is_version = old.keys.len() == 2 || old.keys.last().is_some_and(|key| key == "version");
        is_version && old.keys.iter().take(2).eq(one.keys.iter().take(2))
    };
    let of_one = |one: &Setting| before.iter().find(|old| is_of(old, one)).map(|old| old.value.clone());
    let new = after.iter().filter(is_of_table).filter(|one| is_any(&one.value));
    let found = new.filter_map(|one| Some((one, of_one(one).filter(|old| !is_any(old))?)));
    let finding = |(one, old): (&Setting, String)| {
        let package = one.keys[1].as_str();
        let message = format!("`{package}` had the version {old}, and has any now");
        Finding::error("version-unbound", message)
            .at(path, one.line)
            .help("Give the range of versions with which the code was tried.")
    };
    found.map(finding).collect()
}

/// Lines that name a folder above the root: nobody else has it.
fn outside<'t>(path: &str, before: &str, after: &'t str, place: impl Fn(&'t str) -> Option<&'t str>) -> Vec<Finding> {
    let is_outside = |place: &&str| {
        (place.starts_with("../") && join(folder(path), place).is_none())
            || (place.starts_with('/') && !place.starts_with("//"))
    };
    let new = (1..).zip(after.lines()).filter(|(_, line)| !before.contains(line.trim()));
    let found = new.filter_map(|(line, text)| Some((line, place(text).filter(is_outside)?)));
    let finding = |(line, place): (u32, &str)| {
        let message = format!("{path} names {place}, which stands outside of the repository");
        Finding::error("dependency-outside", message)
            .at(path, line)
            .help("Name a published version, or a folder of the repository.")
    };
    found.map(finding).collect()
}
