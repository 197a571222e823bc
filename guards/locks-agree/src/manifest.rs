//! Whether a lock file has what a manifest declares.

use std::collections::HashMap;

use guard_sdk::{Change, Dependency, DependencyKind, File, Manifest, Side};

use crate::format;
use crate::lock::{Format, Lock, canonical};
use crate::npm_range::satisfies;
use crate::poetry;
use crate::problem::Problem;
use crate::workspace::{lock_in_force, locks_of};

/// A manifest's folder, its declarations and the lock file that stands for it.
struct Pair<'m> {
    folder: &'m str,
    manifest: &'m Manifest,
    lock: &'m Lock,
    format: Format,
    /// The manifest's text.
    text: &'m str,
}

pub fn is_manifest(path: &str) -> bool {
    !locks_of(path.rsplit('/').next().unwrap_or(path)).is_empty()
}

/// Manifests and lock files of both sides, each read once.
pub struct Trees {
    before: HashMap<String, Manifest>,
    after: HashMap<String, Manifest>,
    /// By path: before and after. None: one of them cannot be read.
    locks: HashMap<String, Option<(Lock, Lock)>>,
}

impl Trees {
    pub fn new(change: &Change) -> Self {
        let manifests = |side: Side| {
            let all = change.facts(side).manifests().into_iter().filter(|manifest| manifest.problem.is_none());
            all.map(|manifest| (manifest.path.clone(), manifest)).collect()
        };
        Trees { before: manifests(Side::Before), after: manifests(Side::After), locks: HashMap::new() }
    }
}

/// Problems of a touched manifest: what it newly declares, and the lock does not have. None: no lock stands for it.
pub fn problems(change: &Change, file: &File, trees: &mut Trees) -> Option<Vec<Problem>> {
    let Trees { before, after: manifests, locks } = trees;
    let new = manifests.get(file.path())?;
    let old = before.get(file.old_path().unwrap_or(file.path()))?;
    if new.dependencies == old.dependencies {
        return None;
    }
    let (path, format) = lock_in_force(change, file)?;
    let read = |side: Side| format::read(format, &change.repo(side).text(&path).ok()?);
    let both = locks.entry(path.clone()).or_insert_with(|| read(Side::Before).zip(read(Side::After)));
    let (was, is) = both.as_ref()?;
    let (old_text, text) = (file.before().text().ok()?, file.after().text().ok()?);
    let folder = file.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    let top = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.strip_prefix(top).unwrap_or(folder).trim_start_matches('/');
    let before = Pair { folder, manifest: old, lock: was, format, text: &old_text };
    let after = Pair { folder, manifest: new, lock: is, format, text: &text };
    let changed: Vec<&Dependency> =
        new.dependencies.iter().filter(|dependency| !old.dependencies.contains(dependency)).collect();
    if let (Some(had), Some(has)) = (&was.content, &is.content) {
        // Whoever was out of step before is not held to it now.
        if format == Format::Poetry && !poetry::fits(&old_text, had) {
            return None;
        }
        let is_ahead = had == has && !(format == Format::Poetry && poetry::fits(&text, has));
        return Some(content(&after, &old.dependencies, &changed, is_ahead, &path));
    }
    // Whoever was out of step before is not held to it now: the lock may stand for something else.
    if !old.dependencies.iter().all(|dependency| before.has(dependency))
        || (old.dependencies.is_empty() && !folder.is_empty())
    {
        return None;
    }
    // A package of the repository itself is linked, whatever version a manifest asks for.
    let is_own = |dependency: &Dependency| {
        let mut own = manifests.values().filter(|manifest| manifest.ecosystem == new.ecosystem);
        own.any(|manifest| manifest.name.as_deref() == Some(&dependency.name))
    };
    let comes_with_it = |dependency: &Dependency| is_published_with(new.name.as_deref(), &text, dependency);
    let is_missing =
        |dependency: &&Dependency| !after.has(dependency) && !is_own(dependency) && !comes_with_it(dependency);
    let missing = changed.into_iter().filter(is_missing);
    Some(missing.map(|dependency| after.problem(dependency, &path)).collect())
}

/// Whether a dependency is a part that the package publishes with itself, one for each platform, as programs on npm do: optional, called after
/// it, and of its own version. No lock can have it while that version is made.
fn is_published_with(name: Option<&str>, manifest: &str, part: &Dependency) -> bool {
    let stem = |name: &str| name.trim_start_matches('@').split('/').next().unwrap_or_default().to_owned();
    let is_called_after = name.map(stem).is_some_and(|stem| part.name.trim_start_matches('@').starts_with(&stem));
    let version = format!("\"version\": \"{}\"", part.requirement);
    part.kind == DependencyKind::Optional && is_called_after && manifest.contains(&version)
}

/// Tools that keep a digest of the manifest change it with every dependency.
fn content(pair: &Pair, old: &[Dependency], changed: &[&Dependency], is_ahead: bool, path: &str) -> Vec<Problem> {
    let counts = |dependency: &&Dependency| dependency.kind != DependencyKind::Build;
    let gone = old.iter().filter(|old| !pair.manifest.dependencies.iter().any(|new| new.name == old.name));
    let first = || {
        let declared = changed.iter().copied().find(counts).map(|dependency| pair.problem(dependency, path));
        declared.or_else(|| gone.clone().find(counts).map(|dependency| pair.problem_without(dependency, path)))
    };
    is_ahead.then(first).flatten().into_iter().collect()
}

impl Pair<'_> {
    /// Whether the lock has the dependency as the manifest declares it. What cannot be told counts as there.
    fn has(&self, dependency: &Dependency) -> bool {
        let (name, requirement) = (dependency.name.as_str(), dependency.requirement.as_str());
        let has = |of: &str| self.lock.declared(of, name).iter().any(|root| root.requirement == requirement);
        match self.format {
            Format::Cargo => self.has_crate(name, requirement),
            Format::Npm => has(self.folder),
            // What is overridden stands in the lock as the override asks for it.
            Format::Pnpm => {
                dependency.kind == DependencyKind::Peer
                    || has(self.folder)
                    || (self.lock.overrides.iter().any(|one| one == name)
                        && !self.lock.declared(self.folder, name).is_empty())
            }
            Format::Yarn => {
                let is_linked = ["workspace:", "link:", "portal:", "file:", "patch:", "catalog:"]
                    .iter()
                    .any(|kind| requirement.starts_with(kind));
                let forms = ["", "npm:", "workspace:"].map(|kind| format!("{kind}{requirement}"));
                let is_locked = || self.lock.declared("*", name).iter().any(|root| forms.contains(&root.requirement));
                dependency.kind == DependencyKind::Peer || is_linked || is_locked()
            }
            Format::Uv => {
                let package = self.manifest.name.as_deref().map(canonical);
                let Some(package) = package.filter(|_| dependency.kind != DependencyKind::Build) else { return true };
                self.lock.roots_of(&package).is_empty() || !self.lock.declared(&package, &canonical(name)).is_empty()
            }
            Format::Go => {
                let is_replaced = self.text.lines().any(|line| line.contains("=>") && line.contains(name));
                is_replaced || has("*")
            }
            Format::Bundler => !self.is_plain_gem(name) || !self.lock.declared("*", name).is_empty(),
            Format::Poetry | Format::Pipenv | Format::Composer => true,
        }
    }

    fn has_crate(&self, name: &str, requirement: &str) -> bool {
        let Some(package) = &self.manifest.name else { return true };
        let is_member = self.lock.entries.iter().any(|entry| entry.is_own && entry.name == *package);
        // What a workspace only offers to its members need not be locked.
        if !is_member || self.text.contains("[workspace.dependencies") {
            return true;
        }
        let plain = |name: &str| name.replace('_', "-");
        if !self.lock.roots_of(package).iter().any(|root| plain(&root.name) == plain(name)) {
            return false;
        }
        let Ok(wanted) = semver::VersionReq::parse(requirement) else { return true };
        let mut locked = self
            .lock
            .entries
            .iter()
            .filter(|entry| plain(&entry.name) == plain(name))
            .filter_map(|entry| semver::Version::parse(&entry.version).ok());
        requirement.is_empty() || locked.any(|version| wanted.matches(&version))
    }

    /// A gem that is declared without a condition.
    fn is_plain_gem(&self, name: &str) -> bool {
        let lines: Vec<&str> = self.text.lines().collect();
        let quoted = [format!("gem \"{name}\""), format!("gem '{name}'")];
        let Some(at) =
            lines.iter().position(|line| quoted.iter().any(|quoted| line.trim_start().starts_with(quoted.as_str())))
        else {
            return false;
        };
        let is_plain = |line: &str| {
            ![" if ", " unless ", "platform", "install_if", "path:", "=>"].iter().any(|word| line.contains(word))
        };
        let indent = |line: &str| line.len() - line.trim_start().len();
        let opener = lines[..at].iter().rev().find(|line| !line.trim().is_empty() && indent(line) < indent(lines[at]));
        is_plain(lines[at]) && opener.is_none_or(|line| line.trim_start().starts_with("group") && indent(line) == 0)
    }

    /// Whether npm installs from the lock all the same: it compares the locked version with the requirement, and not what the lock
    /// repeats of the manifest.
    fn locks_what_fits(&self, dependency: &Dependency) -> bool {
        let mut folder = Some(self.folder);
        while let Some(at) = folder {
            let place = format!("{at}{}node_modules/{}", if at.is_empty() { "" } else { "/" }, dependency.name);
            if let Some(entry) = self.lock.entries.iter().find(|entry| entry.variant == place) {
                return satisfies(&entry.version, &dependency.requirement) == Some(true);
            }
            folder = (!at.is_empty()).then(|| at.rsplit_once('/').map_or("", |(above, _)| above));
        }
        false
    }

    fn problem(&self, dependency: &Dependency, path: &str) -> Problem {
        let requirement =
            if dependency.requirement.is_empty() { String::new() } else { format!(" {}", dependency.requirement) };
        let says = format!("{} declares {}{requirement}", self.manifest.path, dependency.name);
        let line = self.text.lines().position(|line| line.contains(&dependency.name)).map_or(1, |at| at as u32 + 1);
        if self.format == Format::Npm && self.locks_what_fits(dependency) {
            let message = format!("{says}, and {path} repeats another requirement, though what it has locked fits");
            return Problem::warning("manifest-ahead", dependency.name.clone(), line, message, self.help());
        }
        let message = format!("{says}, and {path} is not in step with it");
        Problem::error("manifest-ahead", dependency.name.clone(), line, message, self.help())
    }

    /// Of a dependency that is gone.
    fn problem_without(&self, dependency: &Dependency, path: &str) -> Problem {
        let (manifest, name) = (&self.manifest.path, &dependency.name);
        let message = format!("{manifest} no longer declares {name}, and {path} is not in step with it");
        Problem::error("manifest-ahead", name.clone(), 1, message, self.help())
    }

    fn help(&self) -> String {
        let command = self.format.command();
        let mut help =
            format!("Let the tool write the lock file again (`{command}`), and make both part of the change.");
        if self.format == Format::Poetry {
            help += " Or leave the dependencies of the manifest as they were.";
        }
        help
    }
}
