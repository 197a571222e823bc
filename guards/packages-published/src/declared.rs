//! Which packages the change newly declares, and where.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, Dependency, Ecosystem, Finding, Manifest, PackageName, Repo, Side};

#[rustfmt::skip]
pub const GLOBS: &[&str] = &[
    "Cargo.toml", "package.json", "go.mod", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "*requirements*.txt", "*requirements*.in", "**/requirements/*.txt", "**/requirements/*.in",
];

/// A package that was declared nowhere before.
pub struct NewPackage {
    /// Of the manifest.
    pub path: String,
    pub ecosystem: Ecosystem,
    /// As the manifest spells it.
    pub dependency: String,
    /// The line that names it, if one does.
    line: Option<u32>,
}

impl NewPackage {
    pub fn name(&self) -> PackageName {
        PackageName { ecosystem: self.ecosystem.as_str().to_owned(), name: self.dependency.clone() }
    }

    pub fn finding(&self, rule: &'static str, message: String) -> Finding {
        let finding = Finding::error(rule, message);
        match self.line {
            Some(line) => finding.at(&self.path, line),
            None => finding.file(&self.path),
        }
    }
}

/// What manifests declare, before and after.
pub struct Declared {
    before: Vec<Manifest>,
    after: Vec<Manifest>,
}

impl Declared {
    pub fn new(change: &Change) -> Self {
        let manifests = |side: Side| change.facts(side).manifests();
        Declared { before: manifests(Side::Before), after: manifests(Side::After) }
    }

    /// In the order of the manifests, each name once. `known` are left out.
    pub fn new_packages(&self, change: &Change, known: &[String]) -> Vec<NewPackage> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for file in change.files().filter(|file| file.after().is_regular() && !is_material(file.path())) {
            let Some(manifest) = self.after.iter().find(|manifest| manifest.path == file.path()) else { continue };
            if !is_asked(&manifest.ecosystem) {
                continue;
            }
            // What the base declared in a file that cannot be read may be all that is declared now.
            let unread = |old: &&Manifest| {
                Some(old.path.as_str()) == file.old_path().or(Some(file.path())) && old.problem.is_some()
            };
            if self.before.iter().any(|old| unread(&old)) {
                continue;
            }
            let text = file.after().text().unwrap_or_default();
            for dependency in &manifest.dependencies {
                let name = name_at_the_registry(&manifest.ecosystem, dependency);
                let key = canonical(&manifest.ecosystem, name);
                if known.iter().any(|known| known == name)
                    || self.is_there(&manifest.ecosystem, &key)
                    || !seen.insert((manifest.ecosystem.as_str().to_owned(), key))
                {
                    continue;
                }
                found.push(NewPackage {
                    path: manifest.path.clone(),
                    ecosystem: manifest.ecosystem.clone(),
                    dependency: name.to_owned(),
                    line: line_of(&text, name),
                });
            }
        }
        found
    }

    /// Declared before, or of the repository itself, or from elsewhere than the registry.
    fn is_there(&self, ecosystem: &Ecosystem, key: &str) -> bool {
        let is_it = |name: &str| canonical(ecosystem, name) == key;
        let of = |manifests: &'_ [Manifest], is: &dyn Fn(&Manifest) -> bool| {
            manifests.iter().filter(|manifest| manifest.ecosystem == *ecosystem).any(is)
        };
        of(&self.before, &|manifest| {
            manifest.dependencies.iter().any(|dependency| is_it(name_at_the_registry(ecosystem, dependency)))
        }) || of(&self.after, &|manifest| manifest.name.iter().chain(&manifest.elsewhere).any(|name| is_it(name)))
    }

    /// Names that the repository declared before.
    pub fn before(&self, ecosystem: &Ecosystem) -> BTreeMap<String, &str> {
        let manifests = self.before.iter().filter(|manifest| manifest.ecosystem == *ecosystem);
        let dependencies = manifests.flat_map(|manifest| &manifest.dependencies);
        let names = dependencies.map(|dependency| name_at_the_registry(ecosystem, dependency));
        names.map(|name| (canonical(ecosystem, name), name)).collect()
    }
}

/// npm installs under any name what its registry has under another: `npm:left-pad@^1`.
fn name_at_the_registry<'d>(ecosystem: &Ecosystem, dependency: &'d Dependency) -> &'d str {
    match (ecosystem, dependency.requirement.strip_prefix("npm:")) {
        (Ecosystem::Npm, Some(package)) => match package.rfind('@').filter(|at| *at > 0) {
            Some(at) => &package[..at],
            None => package,
        },
        _ => &dependency.name,
    }
}

/// Whose registries can be asked. Later ecosystems of facts have none that is known here.
fn is_asked(ecosystem: &Ecosystem) -> bool {
    matches!(ecosystem, Ecosystem::Cargo | Ecosystem::Npm | Ecosystem::Python | Ecosystem::Go)
}

/// The name by which a registry knows it, whatever way it is spelled.
pub fn canonical(ecosystem: &Ecosystem, name: &str) -> String {
    match ecosystem {
        Ecosystem::Python => {
            let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
        }
        Ecosystem::Cargo => name.to_ascii_lowercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

/// The first line, from 1, that has the name and not as a part of a longer one.
fn line_of(text: &str, name: &str) -> Option<u32> {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let names = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            !line[..at].ends_with(|c| inside(c) || c == '@') && !line[at + name.len()..].starts_with(inside)
        })
    };
    let at = text.lines().position(names)?;
    u32::try_from(at + 1).ok()
}

/// What tests read, templates, and what others wrote.
fn is_material(path: &str) -> bool {
    matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Template | Kind::Vendored)
}

/// Settings of package managers in a repository, and words by which they name a registry.
const SETTINGS: [(Ecosystem, &[&str], &[&str]); 3] = [
    (Ecosystem::Npm, &[".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml"], &["registry", "Registry"]),
    (Ecosystem::Cargo, &[".cargo/config.toml", ".cargo/config"], &["[source", "[registries"]),
    (Ecosystem::Python, &["pip.conf", "uv.toml"], &["index"]),
];

/// The file beside the manifest, or in a folder above, that names a registry.
pub fn names_a_registry(repo: &Repo, package: &NewPackage) -> Option<String> {
    let (_, files, words) = SETTINGS.iter().find(|(ecosystem, ..)| *ecosystem == package.ecosystem)?;
    let mut folder = package.path.as_str();
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        for file in *files {
            let path = if folder.is_empty() { (*file).to_owned() } else { format!("{folder}/{file}") };
            let text = repo.text(&path).unwrap_or_default();
            if words.iter().any(|word| text.contains(word)) {
                return Some(path);
            }
        }
    }
    None
}
