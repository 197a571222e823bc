//! Where other files say the version of a package by its name: its own entry in a lock file, and the packages of the same repository that
//! need just this one.

use configuration::{Format, Setting, ends_as, key, settings};
use guard_sdk::{Change, Repo, Side};

use crate::Settings;
use crate::own::Moved;
use crate::place::Said;

/// A manifest, the key of its name, and the lock file that holds the package itself. npm does not mind what `package-lock.json` says of it.
const UNITS: [(&str, &str, Option<&str>); 3] = [
    ("Cargo.toml", "package.name", Some("Cargo.lock")),
    ("pyproject.toml", "project.name", Some("uv.lock")),
    ("package.json", "name", None),
];

fn unit(path: &str) -> Option<(&'static str, &'static str, Option<&'static str>)> {
    UNITS.into_iter().find(|(manifest, ..)| path.rsplit('/').next() == Some(manifest))
}

/// The name that a manifest gives its package.
fn name(moved: &Moved) -> Option<String> {
    let (_, name, _) = unit(moved.path)?;
    named_by(moved.path, &moved.text, name)
}

fn named_by(path: &str, text: &str, name: &str) -> Option<String> {
    let depth = name.split('.').count();
    let mut all = settings(text, Format::from_path(path))?.into_iter();
    all.find(|one| one.keys.len() == depth && ends_as(&one.keys, name)).map(|one| one.value)
}

/// A manifest that says the version of what it deploys, and not its own.
const CHART: &str = "Chart.yaml";

/// Whether one of two places is a chart and does not name the package of the other: what it deploys may be of another repository.
pub fn is_apart(change: &Change, moved: &Moved, path: &str) -> bool {
    let is_chart = |path: &str| path.rsplit('/').next() == Some(CHART);
    if path == moved.path || !(is_chart(path) || is_chart(moved.path)) {
        return false;
    }
    let name = |path: &str, text: &str| {
        let key = if is_chart(path) { "name" } else { unit(path)?.1 };
        let name = plain(&named_by(path, text, key)?);
        // Scopes and groups are no part of it: `@acme/shop`.
        name.rsplit('/').next().map(str::to_owned)
    };
    let other = change.repo(Side::Before).text(path).unwrap_or_default();
    name(moved.path, &moved.text).is_none_or(|own| name(path, &other) != Some(own))
}

/// The entry of the package itself in the lock file in force for it.
pub fn locked(change: &Change, moved: &Moved) -> Option<(String, Said)> {
    let (_, _, lock) = unit(moved.path)?;
    let (before, after) = (change.repo(Side::Before), change.repo(Side::After));
    let lock = nearest(&after, moved.path, lock?)?;
    let (old, new) = (entries(&before.text(&lock).ok()?), entries(&after.text(&lock).ok()?));
    let stale = |entries: &[Said], name: &str| {
        entries.iter().find(|one| plain(&one.name) == plain(name) && one.version == moved.was).cloned()
    };
    let said = match name(moved) {
        Some(name) => stale(&old, &name).and(stale(&new, &name)),
        // The version of a workspace is that of its members: no entry moves with it.
        None => {
            let followed = new.iter().any(|one| one.version == moved.is.version);
            let stood = new.iter().find(|one| one.version == moved.was && stale(&old, &one.name).is_some());
            stood.filter(|_| !followed).cloned()
        }
    };
    said.map(|said| (lock, said))
}

/// A file beside another or above it.
fn nearest(repo: &Repo, path: &str, name: &str) -> Option<String> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        let beside = format!("{above}/{name}");
        if matches!(repo.stat(&beside), Ok(Some(_))) {
            return Some(beside);
        }
        folder = above;
    }
    matches!(repo.stat(name), Ok(Some(_))).then(|| name.to_owned())
}

/// Entries of packages of the repository itself, which come from no registry.
fn entries(lock: &str) -> Vec<Said> {
    let mut found: Vec<Said> = Vec::new();
    let (mut name, mut version): (Option<&str>, Option<(&str, u32)>) = (None, None);
    let mut is_local = true;
    let end = (u32::MAX, "[[package]]");
    for (number, line) in (1..).zip(lock.lines()).chain([end]) {
        let value = |start: &str| line.strip_prefix(start)?.strip_suffix('"');
        if line.starts_with('[') {
            if let (Some(name), Some((version, line)), true) = (name, version, is_local) {
                found.push(Said { version: version.to_owned(), line, name: name.to_owned() });
            }
            (name, version, is_local) = (None, None, true);
        } else if let Some(value) = value("name = \"") {
            name = Some(value);
        } else if let Some(value) = value("version = \"") {
            version = Some((value, number));
        } else if let Some(source) = line.strip_prefix("source = ") {
            is_local = ["editable", "virtual", "directory"].iter().any(|kind| source.contains(kind));
        }
    }
    found
}

fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

/// Manifests of the repository that need the old version of the package and cannot take the new one.
pub fn named(change: &Change, moved: &Moved, held: &Settings) -> Vec<(String, Said)> {
    let (Some((manifest, ..)), Some(name)) = (unit(moved.path), name(moved)) else { return Vec::new() };
    let (before, after) = (change.repo(Side::Before), change.repo(Side::After));
    let needs = |repo: &Repo, path: &str| -> Vec<Said> {
        let text = repo.text(path).unwrap_or_default();
        let all = if text.contains(&name) { settings(&text, Format::from_path(path)) } else { None };
        all.unwrap_or_default().into_iter().filter_map(|one| needed(one, &name, moved)).collect()
    };
    let paths = after.find(&[manifest], 500);
    let paths = paths.into_iter().filter(|path| path != moved.path && held.hold(path));
    let stale = |path: String| {
        let stood = needs(&before, &path);
        let still = needs(&after, &path).into_iter().find(|one| stood.iter().any(|old| old.name == one.name))?;
        Some((path, still))
    };
    paths.filter_map(stale).collect()
}

/// A setting by which something needs the old version and not the new one.
fn needed(one: Setting, name: &str, moved: &Moved) -> Option<Said> {
    let keys: Vec<&str> = one.keys.iter().map(String::as_str).collect();
    let is_list = |keys: &[&str]| keys.last().is_some_and(|last| last.ends_with("dependencies"));
    let (rest, is_cargo) = match keys.as_slice() {
        [rest @ .., held, "version"] if *held == key(name) => (rest, true),
        [rest @ .., held] if *held == key(name) => (rest, moved.path.ends_with("Cargo.toml")),
        _ => return None,
    };
    let wanted = one.value.trim();
    let exact = wanted.trim_start_matches('=').trim();
    let excludes = exact == moved.was && (!is_cargo || wanted.starts_with('=') || !is_compatible(moved));
    (is_list(rest) && excludes).then(|| Said { version: one.value.clone(), line: one.line, name: one.name() })
}

/// Whether a plain requirement of Cargo for the old version takes the new one: the first number that is not zero stays.
fn is_compatible(moved: &Moved) -> bool {
    let numbers = |version: &str| -> Vec<String> {
        let core = version.split(['-', '+']).next().unwrap_or_default();
        let parts: Vec<&str> = core.split('.').collect();
        let upto = parts.iter().position(|part| *part != "0").unwrap_or(parts.len().saturating_sub(1));
        parts.iter().take(upto + 1).map(|part| (*part).to_owned()).collect()
    };
    numbers(&moved.was) == numbers(&moved.is.version)
}
