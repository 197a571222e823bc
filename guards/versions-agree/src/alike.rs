//! Settings that files of one kind say alike: variables of workflows, and the package manager of the packages of a repository.

use std::collections::BTreeMap;

use configuration::{Format, ends_as, settings};
use guard_sdk::files::Globs;
use guard_sdk::{Change, Finding, Side};

use crate::place::version_of;
use crate::{Settings, edited};

/// Files of one kind, and the key of what they say alike.
const ALIKE: [(&str, &str); 2] = [("/.github/workflows/*.{yml,yaml}", "env.*"), ("package.json", "packagemanager")];

/// Words by which the name of a variable says that its value is a version, whatever its form.
const VERSIONS: [&str; 8] = ["version", "jdk", "java", "node", "python", "msrv", "toolchain", "release"];

/// None: the change moves no such setting.
pub fn find(change: &Change, held: &Settings) -> Option<Vec<Finding>> {
    let found: Vec<Vec<Finding>> = ALIKE.iter().filter_map(|alike| of_kind(change, held, *alike)).collect();
    (!found.is_empty()).then(|| found.concat())
}

/// What a file says, by name: the version, and the line in which it stands.
type Versions = BTreeMap<String, (String, u32)>;

fn of_kind(change: &Change, held: &Settings, (glob, key): (&str, &str)) -> Option<Vec<Finding>> {
    let globs = Globs::new(&[glob]).ok()?;
    let edited = edited(change, held, |path| globs.matches(path));
    let mut moved: BTreeMap<String, Vec<(&str, String, String, u32)>> = BTreeMap::new();
    for file in &edited {
        let (old, new) = (versions(file.path, &file.before, key), versions(file.path, &file.after, key));
        for (name, (is, line)) in new {
            let Some((was, _)) = old.get(&name).filter(|(was, _)| *was != is) else { continue };
            moved.entry(name).or_default().push((file.path, was.clone(), is, line));
        }
    }
    if moved.is_empty() {
        return None;
    }
    let (before, after) = (change.repo(Side::Before), change.repo(Side::After));
    let read = |side: &guard_sdk::Repo, path: &str| versions(path, &side.text(path).unwrap_or_default(), key);
    let paths = before.find(&[glob], 500);
    let all: Vec<(&str, Versions, Versions)> = paths
        .iter()
        .filter(|path| held.hold(path))
        .map(|path| (path.as_str(), read(&before, path), read(&after, path)))
        .collect();
    let mut findings = Vec::new();
    for (name, moved) in moved {
        let (path, was, is, line) = &moved[0];
        let said: Vec<&(&str, Versions, Versions)> = all.iter().filter(|(_, old, _)| old.contains_key(&name)).collect();
        // Only what agreed in all files is one version; where one was different, so may others be.
        if said.iter().any(|(_, old, _)| old[&name].0 != *was) {
            continue;
        }
        let left = said.iter().filter_map(|(path, _, new)| Some((path, new.get(&name).filter(|(is, _)| is == was)?.1)));
        let left: Vec<(&&str, u32)> = left.collect();
        let Some((first, at)) = left.first() else { continue };
        let message = format!("{path} moves `{name}` from {was} to {is}, and {first} still says {was}");
        let finding = Finding::error("version-left-behind", message)
            .at(path, *line)
            .help(format!("Set `{name}` in line {at} of {first} to {is} as well, or leave it alone."));
        let with = |finding: Finding, (path, line): &(&&str, u32)| {
            finding.related(path, *line..=*line, format!("`{name}` is {was}"))
        };
        findings.push(left.iter().fold(finding, with));
    }
    Some(findings)
}

/// Names that a file gives one version.
fn versions(path: &str, text: &str, key: &str) -> Versions {
    let mut found: BTreeMap<String, Option<(String, u32)>> = BTreeMap::new();
    for one in settings(text, Format::from_path(path)).unwrap_or_default() {
        let last = one.keys.last().cloned().unwrap_or_default();
        if one.is_item || !ends_as(&one.keys, key) || (key == "packagemanager" && one.keys.len() != 1) {
            continue;
        }
        let (name, value) = match one.value.split_once('@') {
            Some((manager, version)) => {
                (format!("{last} {manager}"), version.split('+').next().unwrap_or_default().to_owned())
            }
            None => (last, one.value.clone()),
        };
        let is_named = VERSIONS.iter().any(|word| name.contains(word));
        let is_plain = value.len() <= 40
            && value.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())
            && !value.contains(char::is_whitespace);
        if !is_plain || (!is_named && version_of(&value).is_none()) {
            continue;
        }
        let said = found.entry(name).or_insert_with(|| Some((value.clone(), one.line)));
        // A name with several values in one file is no one version.
        if said.as_ref().is_some_and(|(other, _)| *other != value) {
            *said = None;
        }
    }
    found.into_iter().filter_map(|(name, said)| Some((name, said?))).collect()
}
