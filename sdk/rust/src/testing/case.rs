//! A case, read from its folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::facts::{CaseFacts, SideFacts};
use super::net::CaseNet;
use super::toolchain::CaseTools;
use crate::{Mode, Side, Task, TaskMode};

/// A change, as two trees, and how it was asked for.
#[derive(Clone)]
pub struct Case {
    pub before: Tree,
    pub after: Tree,
    pub task: Option<Task>,
    /// JSON text.
    pub settings: String,
    pub(super) facts: CaseFacts,
    pub(super) net: CaseNet,
    pub(super) tools: CaseTools,
}

/// Files by path: what `wit/guard` calls a side.
pub type Tree = BTreeMap<String, (Mode, Vec<u8>)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFile {
    #[serde(default)]
    text: String,
    #[serde(default)]
    hints: Vec<String>,
    #[serde(default)]
    mode: String,
}

/// Folders that hold `before` or `after`, sorted.
pub(super) fn find(folder: &Path) -> Vec<PathBuf> {
    let mut below: Vec<PathBuf> = folders(folder);
    below.sort();
    let is_case = |path: &PathBuf| path.join("before").is_dir() || path.join("after").is_dir();
    below.into_iter().flat_map(|path| if is_case(&path) { vec![path] } else { find(&path) }).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("a folder's entry").path()).filter(|path| path.is_dir()).collect()
}

/// An empty change without a task, judged with the default settings.
impl Default for Case {
    fn default() -> Self {
        let (before, after) = (Tree::new(), Tree::new());
        let (facts, net, tools) = (CaseFacts::default(), CaseNet::default(), CaseTools::default());
        Case { before, after, task: None, settings: "{}".into(), facts, net, tools }
    }
}

impl Case {
    /// Reads a case's folder. `Err` names the file that is wrong.
    pub fn read(folder: &Path) -> Result<Self, String> {
        Ok(Case {
            before: tree(&folder.join("before"))?,
            after: tree(&folder.join("after"))?,
            task: json::<TaskFile>(&folder.join("task.json"))?.map(TaskFile::task).transpose()?,
            settings: text(&folder.join("settings.json"))?.unwrap_or_else(|| "{}".into()),
            facts: json(&folder.join("facts.json"))?.unwrap_or_default(),
            net: json(&folder.join("net.json"))?.unwrap_or_default(),
            tools: json(&folder.join("toolchain.json"))?.unwrap_or_default(),
        })
    }

    pub(super) fn tree(&self, side: Side) -> &Tree {
        match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }

    pub(super) fn facts(&self, side: Side) -> &SideFacts {
        match side {
            Side::Before => &self.facts.before,
            Side::After => &self.facts.after,
        }
    }
}

impl TaskFile {
    fn task(self) -> Result<Task, String> {
        let mode = match self.mode.as_str() {
            "" | "normal" => TaskMode::Normal,
            "compile-fix" => TaskMode::CompileFix,
            other => return Err(format!("task.json: there is no mode {other:?}")),
        };
        Ok(Task { text: self.text, hints: self.hints, mode })
    }
}

fn text(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, String> {
    let parse = |text: String| serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()));
    text(path)?.map(parse).transpose()
}

fn tree(root: &Path) -> Result<Tree, String> {
    let mut tree = Tree::new();
    if root.is_dir() {
        gather(root, "", &mut tree).map_err(|error| format!("{}: {error}", root.display()))?;
    }
    Ok(tree)
}

fn gather(folder: &Path, prefix: &str, tree: &mut Tree) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = fs::symlink_metadata(entry.path())?;
        if meta.is_dir() {
            gather(&entry.path(), &format!("{path}/"), tree)?;
        } else if meta.is_symlink() {
            let target = fs::read_link(entry.path())?;
            tree.insert(path, (Mode::Symlink, target.to_string_lossy().into_owned().into_bytes()));
        } else {
            tree.insert(path, (mode(&meta), fs::read(entry.path())?));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> Mode {
    use std::os::unix::fs::PermissionsExt;
    if meta.permissions().mode() & 0o100 != 0 { Mode::Executable } else { Mode::File }
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> Mode {
    Mode::File
}
