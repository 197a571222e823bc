//! A case: `before/`, `after/` and the expected verdict on the change between them, in a folder or in a `.case` file. The Rust SDK runs
//! the same cases natively (`guard_sdk::testing`); both read them with `guard_cases`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use guard_cases::Mode;
use serde::Deserialize;
use serde_json::Value;

use guardhost_core::change::{FileMode, RepoPath, Task, TaskMode};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_engine::GuardInput;
use guardhost_git::{Scratch, ScratchFiles};

/// A case, ready to be judged.
pub struct Case {
    /// Its path, relative to the folder of all cases.
    pub name: String,
    pub source: guard_cases::Case,
    pub before: ScratchFiles,
    pub after: ScratchFiles,
    task: Option<Task>,
    settings: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFile {
    #[serde(default)]
    text: String,
    #[serde(default)]
    hints: Vec<String>,
    #[serde(default)]
    mode: Option<TaskMode>,
}

/// Every case below `folder`, at any depth: a folder with `before` or `after`, or a `.case` file; sorted. Errors name the wrong file.
/// A folder without cases is an error ([`Kind::Nothing`]), since an empty test passes for every guard.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    let found = match folder.is_dir() {
        true => guard_cases::find(folder, &["before", "after"]).with_context(|| unreadable(folder))?,
        false => Vec::new(),
    };
    if found.is_empty() {
        let hint = "a case is a folder with before/, after/ and expect.json, or the same in a file NAME.case";
        return Err(Fault::new(Kind::Nothing, format!("there are no cases in {}", folder.display())).hint(hint).into());
    }
    found.into_iter().map(|case| Case::read(case.name, &case.path)).collect()
}

impl Case {
    fn read(name: String, path: &Path) -> Result<Self> {
        let source = guard_cases::Case::read(path).with_context(|| unreadable(path))?;
        let task: Option<TaskFile> = json(&source, "task.json")?;
        let task = task.map(|TaskFile { text, hints, mode }| Task {
            text,
            hints: hints.iter().map(|hint| RepoPath::from(hint.as_str())).collect(),
            mode: mode.unwrap_or_default(),
            ..Task::default()
        });
        Ok(Case {
            name,
            before: tree(&source, "before"),
            after: tree(&source, "after"),
            task,
            settings: json(&source, "settings.json")?.unwrap_or(Value::Null),
            source,
        })
    }

    /// The input for a guard.
    pub fn input(&self, scratch: &Scratch) -> Result<GuardInput> {
        let candidate = scratch.candidate(&self.before, &self.after);
        let candidate =
            candidate.with_context(|| Fault::new(Kind::Usage, format!("the case {} is no change", self.name)))?;
        Ok(GuardInput { candidate, task: self.task.clone(), settings: self.settings.clone() })
    }
}

/// None when there is no such file.
pub(super) fn json<T: serde::de::DeserializeOwned>(case: &guard_cases::Case, name: &str) -> Result<Option<T>> {
    let Some(text) = case.text(name).with_context(|| Fault::new(Kind::Usage, format!("cannot read {name}")))? else {
        return Ok(None);
    };
    serde_json::from_str(text).map(Some).map_err(|error| {
        let what = format!("{} is wrong", case.place(name, error.line()));
        guardhost_core::error::Error::new(error).context(Fault::new(Kind::Usage, what))
    })
}

fn unreadable(path: &Path) -> Fault {
    Fault::new(Kind::Usage, format!("cannot read {}", path.display()))
}

fn tree(case: &guard_cases::Case, side: &str) -> ScratchFiles {
    let mode = |mode| match mode {
        Mode::File => FileMode::File,
        Mode::Executable => FileMode::Executable,
        Mode::Link => FileMode::Symlink,
    };
    let entry = |(path, file): (&Path, &guard_cases::File)| {
        (RepoPath::new(path.as_os_str().as_bytes().to_vec()), mode(file.mode), file.bytes.clone())
    };
    case.below(side).map(entry).collect()
}
