//! `Cargo.toml` (<https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>).

use std::collections::HashMap;

use toml::{Table, Value};

use guardhost_core::change::RepoPath;

use super::declared::{Declared, problem};
use super::files::{dir, join};
use super::{DependencyKind, Ecosystem, Manifest};

/// What members inherit from their workspace roots. Filled while manifests are read, and used after the last one.
#[derive(Default)]
pub struct Workspaces {
    /// By the root's directory: alias, real name and requirement.
    roots: HashMap<Vec<u8>, HashMap<String, (String, String)>>,
    members: HashMap<RepoPath, Member>,
}

struct Member {
    /// `package.workspace`.
    root: Option<Vec<u8>>,
    /// Aliases of `workspace = true`, with their kinds.
    inherited: Vec<(String, DependencyKind)>,
}

const SECTIONS: [(&str, DependencyKind); 5] = [
    ("dependencies", DependencyKind::Normal),
    ("dev-dependencies", DependencyKind::Dev),
    ("dev_dependencies", DependencyKind::Dev),
    ("build-dependencies", DependencyKind::Build),
    ("build_dependencies", DependencyKind::Build),
];

impl Workspaces {
    pub fn parse(&mut self, path: &RepoPath, text: &str) -> Result<Declared, String> {
        let table: Table = text.parse().map_err(problem)?;
        let mut declared = Declared::default();
        let package = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table);
        declared.name = package.and_then(|package| package.get("name")?.as_str()).map(str::to_owned);

        let targets = table.get("target").and_then(Value::as_table);
        let targets = targets.into_iter().flatten().filter_map(|(_, target)| target.as_table());
        let mut inherited = Vec::new();
        for table in std::iter::once(&table).chain(targets) {
            for (section, kind) in SECTIONS {
                for (alias, value) in table.get(section).and_then(Value::as_table).into_iter().flatten() {
                    let optional = value.get("optional").and_then(Value::as_bool) == Some(true);
                    let kind = if optional { DependencyKind::Optional } else { kind };
                    if value.get("workspace").and_then(Value::as_bool) == Some(true) {
                        inherited.push((alias.clone(), kind));
                    } else {
                        let (name, requirement) = package_of(alias, value);
                        declared.note_source(&name, value);
                        declared.add(&name, &requirement, kind);
                    }
                }
            }
        }
        if let Some(workspace) = table.get("workspace").and_then(Value::as_table) {
            let shared = workspace.get("dependencies").and_then(Value::as_table);
            let mut noted = |alias: &String, value: &Value| {
                let (name, requirement) = package_of(alias, value);
                declared.note_source(&name, value);
                (alias.clone(), (name, requirement))
            };
            let shared: HashMap<_, _> =
                shared.into_iter().flatten().map(|(alias, value)| noted(alias, value)).collect();
            let mut sorted: Vec<_> = shared.values().collect();
            sorted.sort();
            for (name, requirement) in sorted {
                declared.add(name, requirement, DependencyKind::Normal);
            }
            self.roots.insert(dir(path).to_vec(), shared);
        }
        let patches = table.get("patch").and_then(Value::as_table).into_iter().flatten();
        for (alias, value) in patches.filter_map(|(_, patched)| patched.as_table()).flatten() {
            declared.elsewhere.insert(package_of(alias, value).0);
        }
        let bins = table.get("bin").and_then(Value::as_array).into_iter().flatten();
        declared.starts.extend(bins.filter_map(|bin| bin.get("path")?.as_str()).map(str::to_owned));

        let root = package.and_then(|package| package.get("workspace")?.as_str());
        let root = root.and_then(|root| join(dir(path), root)).map(|root| root.as_bytes().to_vec());
        self.members.insert(path.clone(), Member { root, inherited });
        Ok(declared)
    }

    /// Gives the members what they inherit. A dependency that no root declares keeps its alias as its name.
    pub fn inherit(&self, manifests: &mut [Manifest]) {
        for manifest in manifests.iter_mut().filter(|manifest| manifest.ecosystem == Ecosystem::Cargo) {
            let Some(member) = self.members.get(&manifest.path) else { continue };
            let shared = self.root_of(&manifest.path, member);
            let mut declared =
                Declared { dependencies: std::mem::take(&mut manifest.dependencies), ..Declared::default() };
            for (alias, kind) in &member.inherited {
                match shared.and_then(|shared| shared.get(alias)) {
                    Some((name, requirement)) => declared.add(name, requirement, *kind),
                    None => declared.add(alias, "", *kind),
                }
            }
            manifest.dependencies = declared.dependencies;
        }
    }

    /// The nearest parent directory with a `[workspace]`, unless the member names its root.
    fn root_of(&self, path: &RepoPath, member: &Member) -> Option<&HashMap<String, (String, String)>> {
        if let Some(root) = &member.root {
            return self.roots.get(root);
        }
        let mut at = dir(path);
        loop {
            if let Some(shared) = self.roots.get(at) {
                return Some(shared);
            }
            if at.is_empty() {
                return None;
            }
            at = at.iter().rposition(|byte| *byte == b'/').map_or(b"", |slash| &at[..slash]);
        }
    }
}

/// Real name and version requirement.
fn package_of(alias: &str, value: &Value) -> (String, String) {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let requirement = value.as_str().or_else(|| text("version")).unwrap_or_default();
    (text("package").unwrap_or(alias).to_owned(), requirement.to_owned())
}
