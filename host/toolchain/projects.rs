//! The projects that a change touches: for every touched path, the nearest folder with a manifest.

use std::collections::BTreeSet;

use guard_files::relative::above;
use serde_json::Value;

use guardhost_core::change::{Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProjectKind {
    Cargo,
    Go,
    Node,
    Python,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Project {
    pub language: ProjectKind,
    /// Its folder; empty for the root.
    pub folder: String,
}

const MANIFESTS: [(ProjectKind, &[&str]); 4] = [
    (ProjectKind::Cargo, &["Cargo.toml"]),
    (ProjectKind::Go, &["go.mod"]),
    (ProjectKind::Node, &["package.json"]),
    (ProjectKind::Python, &["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt"]),
];

/// The files of one tree.
#[derive(Clone, Copy)]
pub struct ProjectFiles<'a> {
    pub objects: &'a dyn Objects,
    pub tree: Oid,
}

impl ProjectFiles<'_> {
    /// None when there is no such file.
    pub fn text(&self, folder: &str, name: &str) -> Result<Option<String>> {
        let Some(TreeEntry { oid, .. }) = self.entry(folder, name)? else { return Ok(None) };
        Ok(Some(String::from_utf8_lossy(&self.objects.blob(oid)?).into_owned()))
    }

    pub fn has(&self, folder: &str, name: &str) -> Result<bool> {
        Ok(self.entry(folder, name)?.is_some())
    }

    pub fn entry(&self, folder: &str, name: &str) -> Result<Option<TreeEntry>> {
        self.objects.entry(self.tree, &RepoPath::from(join(folder, name).as_str()))
    }

    pub fn has_folder(&self, path: &str) -> Result<bool> {
        self.objects.is_dir(self.tree, &RepoPath::from(path))
    }

    /// A `package.json`; null when there is none, or none that can be read.
    pub fn package(&self, folder: &str) -> Result<Value> {
        let text = self.text(folder, "package.json")?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null))
    }
}

/// A path below a folder of the repository, where the root is empty.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The projects of these paths, sorted. Paths that are not UTF-8 have none.
pub fn projects<'p>(files: ProjectFiles, touched: impl Iterator<Item = &'p RepoPath>) -> Result<Vec<Project>> {
    let mut folders = BTreeSet::new();
    let mut python = false;
    for path in touched.filter_map(RepoPath::as_str) {
        folders.insert(path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned());
        python |= path.ends_with(".py");
    }
    let mut found = BTreeSet::new();
    for folder in &folders {
        for folder in above(folder) {
            let here = projects_in(files, folder)?;
            if !here.is_empty() {
                found.extend(here);
                break;
            }
        }
    }
    // Python modules without any manifest are tested from the root.
    if found.is_empty() && python {
        found.insert(Project { language: ProjectKind::Python, folder: String::new() });
    }
    Ok(found.into_iter().collect())
}

fn projects_in(files: ProjectFiles, folder: &str) -> Result<Vec<Project>> {
    let mut here = Vec::new();
    for (language, manifests) in MANIFESTS {
        for manifest in manifests {
            if files.has(folder, manifest)? {
                let root = root(files, language, folder)?.to_owned();
                here.push(Project { language, folder: root });
                break;
            }
        }
    }
    Ok(here)
}

/// A member of a Cargo workspace is tested with the whole workspace: it may break another member.
fn root<'f>(files: ProjectFiles, language: ProjectKind, folder: &'f str) -> Result<&'f str> {
    if language == ProjectKind::Cargo {
        for above in above(folder) {
            let manifest = files.text(above, "Cargo.toml")?.and_then(|text| text.parse::<toml::Table>().ok());
            if manifest.is_some_and(|manifest| manifest.contains_key("workspace")) {
                return Ok(above);
            }
        }
    }
    Ok(folder)
}
