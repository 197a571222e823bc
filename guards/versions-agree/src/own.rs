//! The version that a package says of itself.

use guard_sdk::{Change, Finding, Severity, Side};

use crate::place::{self, Said};
use crate::{Settings, edited, package, units};

/// A version that the change moves.
pub struct Moved<'c> {
    pub path: &'c str,
    pub was: String,
    pub is: Said,
    /// The folder of its package.
    pub package: &'c str,
    /// The manifest, as it is now.
    pub text: String,
}

/// None: the change moves no version of a package.
pub fn find(change: &Change, settings: &Settings) -> Option<Vec<Finding>> {
    let moved = moved(change, settings);
    (!moved.is_empty()).then(|| judge(change, &moved, settings))
}

fn moved<'c>(change: &'c Change, settings: &Settings) -> Vec<Moved<'c>> {
    let mut found = Vec::new();
    for file in edited(change, settings, place::may_say) {
        let old = place::versions(file.old_path, &file.before);
        for new in place::versions(file.path, &file.after) {
            let mut same = old.iter().filter(|old| old.name == new.name);
            // Of a name that stands several times nobody can say which became which.
            let (Some(was), None) = (same.next(), same.next()) else { continue };
            if was.version != new.version {
                let package = package::containing(&change.repo(package::SIDE), file.path);
                let (was, text) = (was.version.clone(), file.after.clone());
                found.push(Moved { path: file.path, was, is: new, package, text });
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

pub fn is_common(version: &str) -> bool {
    COMMON.contains(&version)
}

fn left_behind(change: &Change, moved: &Moved, settings: &Settings) -> Option<Finding> {
    let Moved { path, was, is, .. } = moved;
    let mut stale = of_package(change, moved, settings);
    stale.extend(units::locked(change, moved));
    stale.extend(units::named(change, moved, settings));
    if stale.is_empty() && moved.package.is_empty() && !is_common(was) {
        stale = of_repository(change, moved, settings);
    }
    let (first, said) = stale.first()?;
    let is_mild = is_common(was) || catches_up(change, moved, settings);
    // Two tables of one file are told apart.
    let place = if first == path { format!("`{}` in line {}", said.name, said.line) } else { first.clone() };
    let message = format!("{path} moves the version {was} to {}, and {place} still says {was}", is.version);
    let mut finding = Finding::error("version-left-behind", message).at(path, is.line).help(format!(
        "Set `{}` in line {} of {first} to {} as well, or leave the version alone.",
        said.name, said.line, is.version
    ));
    for (path, said) in &stale {
        finding = finding.related(path, said.line..=said.line, format!("`{}` is {}", said.name, said.version));
    }
    Some(Finding { severity: if is_mild { Severity::Warning } else { Severity::Error }, ..finding })
}

/// Whether another place of the package had the new version before: who mends one place after the other leaves none behind.
fn catches_up(change: &Change, moved: &Moved, settings: &Settings) -> bool {
    let before = change.repo(Side::Before);
    places(change, settings).iter().filter(|path| package::containing(&before, path) == moved.package).any(|path| {
        let old = before.text(path).unwrap_or_default();
        place::versions(path, &old).iter().any(|one| one.version == moved.is.version)
    })
}

/// All files of the tree that may say a version of their package.
fn places(change: &Change, settings: &Settings) -> Vec<String> {
    let globs = place::globs();
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let mut found = change.repo(Side::After).find(&globs, 2_000);
    found.retain(|path| place::may_say(path) && settings.hold(path));
    found
}

/// What of a file said the old version and still does.
fn still(change: &Change, path: &str, was: &str) -> Option<Said> {
    let (old, new) = (change.repo(Side::Before).text(path).ok()?, change.repo(Side::After).text(path).ok()?);
    let old = place::versions(path, &old);
    let said_it = |one: &Said| old.iter().any(|old| old.name == one.name && old.version == was);
    place::versions(path, &new).into_iter().find(|one| one.version == was && said_it(one))
}

fn of_package(change: &Change, moved: &Moved, settings: &Settings) -> Vec<(String, Said)> {
    let before = change.repo(Side::Before);
    let inside = |path: &String| moved.package.is_empty() || path.starts_with(&format!("{}/", moved.package));
    let paths = places(change, settings).into_iter().filter(inside);
    let same: Vec<String> = paths.filter(|path| package::containing(&before, path) == moved.package).collect();
    let held =
        same.iter().filter(|path| !units::is_apart(change, moved, path) && siblings_agree(change, moved, path, &same));
    held.filter_map(|path| Some((path.clone(), still(change, path, &moved.was)?))).collect()
}

/// Of files with one name in several folders, such as `plugins/*/plugin.json`: the share, at least, that said the same version, where they
/// have one together. That two of many say the same is chance.
const TOGETHER: f64 = 0.8;

/// Whether a place has the version of `moved` by more than chance: it has another name, or all of its name go together.
fn siblings_agree(change: &Change, moved: &Moved, path: &str, places: &[String]) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if path == moved.path || name(path) != name(moved.path) {
        return true;
    }
    let before = change.repo(Side::Before);
    let said = |path: &String| place::versions(path, &before.text(path).unwrap_or_default());
    let alike: Vec<Vec<Said>> = places.iter().filter(|other| name(other) == name(path)).map(said).collect();
    let (all, same) = alike
        .iter()
        .filter(|said| !said.is_empty())
        .fold((0, 0), |(all, same), said| (all + 1, same + u32::from(said.iter().any(|one| one.version == moved.was))));
    f64::from(same) >= TOGETHER * f64::from(all)
}

/// Where the root says the version of the whole repository: other packages that say it too, if none says another.
fn of_repository(change: &Change, moved: &Moved, settings: &Settings) -> Vec<(String, Said)> {
    let before = change.repo(Side::Before);
    let mut stale = Vec::new();
    for path in places(change, settings).into_iter().filter(|path| !units::is_apart(change, moved, path)) {
        let Ok(old) = before.text(&path) else { continue };
        let old = place::versions(&path, &old);
        if old.iter().any(|one| one.version != moved.was && !is_common(&one.version)) {
            return Vec::new();
        }
        if !old.is_empty() {
            stale.extend(still(change, &path, &moved.was).map(|said| (path, said)));
        }
    }
    stale
}
