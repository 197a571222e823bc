//! A case, as a guard sees it.

use std::collections::BTreeMap;
use std::path::Path;

use guard_files::Kinds;
use serde::Deserialize;

use super::commits::CaseCommits;
use super::facts::{CaseFacts, SideFacts};
use super::model::CaseModels;
use super::net::CaseNet;
use super::past::PastOutcome;
use super::registry::CaseRegistries;
use super::toolchain::CaseTools;
use super::{TextReader, kinds};
use crate::{Mode, Side, Task, path};

/// A change, as two trees, and how it was asked for.
#[derive(Clone)]
pub struct Case {
    pub before: Tree,
    pub after: Tree,
    pub task: Option<Task>,
    /// JSON text.
    pub settings: String,
    pub(super) commits: CaseCommits,
    pub(super) facts: CaseFacts,
    /// What answers for `modules` and `language`.
    pub readers: &'static [TextReader],
    pub(super) kinds: Kinds,
    pub(super) net: CaseNet,
    pub(super) registries: CaseRegistries,
    pub(super) models: CaseModels,
    pub(super) tools: CaseTools,
    /// Newest first.
    pub(super) past: Vec<PastOutcome>,
}

/// Files by path, spelled as the contract spells them: what it calls a side.
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

/// An empty change without a task, judged with the default settings.
impl Default for Case {
    fn default() -> Self {
        let (before, after, task, settings) = (Tree::new(), Tree::new(), None, "{}".into());
        let (commits, facts, readers, kinds, net, registries, models, tools, past) = Default::default();
        Case { before, after, task, settings, commits, facts, readers, kinds, net, registries, models, tools, past }
    }
}

impl Case {
    /// Reads a case's folder, or its `.case` file. `Err` names the file that is wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        Case::new(&guard_cases::Case::read(path).map_err(|error| error.to_string())?)
    }

    pub(super) fn new(files: &guard_cases::Case) -> Result<Self, String> {
        Ok(Case {
            before: tree(files, "before"),
            after: tree(files, "after"),
            task: json::<TaskFile>(files, "task.json")?.map(TaskFile::task).transpose()?,
            settings: files.text("settings.json").map_err(|error| error.to_string())?.unwrap_or("{}").to_owned(),
            commits: json(files, "commits.json")?.unwrap_or_default(),
            facts: json(files, "facts.json")?.unwrap_or_default(),
            readers: &[],
            kinds: kinds::read(json(files, "paths.json")?.unwrap_or_default())?,
            net: json(files, "net.json")?.unwrap_or_default(),
            registries: json(files, "registry.json")?.unwrap_or_default(),
            models: json(files, "model.json")?.unwrap_or_default(),
            tools: json(files, "toolchain.json")?.unwrap_or_default(),
            past: json(files, "past.json")?.unwrap_or_default(),
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
        let is_compile_fix = match self.mode.as_str() {
            "" | "normal" => false,
            "compile-fix" => true,
            other => return Err(format!("task.json: there is no mode {other:?}")),
        };
        Ok(Task { text: self.text, hints: self.hints, is_compile_fix })
    }
}

fn json<T: serde::de::DeserializeOwned>(files: &guard_cases::Case, name: &str) -> Result<Option<T>, String> {
    let parse =
        |text| serde_json::from_str(text).map_err(|error| format!("{}: {error}", files.place(name, error.line())));
    files.text(name).map_err(|error| error.to_string())?.map(parse).transpose()
}

fn tree(files: &guard_cases::Case, side: &str) -> Tree {
    let mode = |mode| match mode {
        guard_cases::Mode::File => Mode::File,
        guard_cases::Mode::Executable => Mode::Executable,
        guard_cases::Mode::Link => Mode::Symlink,
    };
    let entry = |(path, file): (&Path, &guard_cases::File)| {
        (path::escape(path.as_os_str().as_encoded_bytes()), (mode(file.mode), file.bytes.clone()))
    };
    files.below(side).map(entry).collect()
}
