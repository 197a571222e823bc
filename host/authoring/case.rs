//! A case: `before/`, `after/` and the expected verdict on the change between them, in a folder or in a `.case` file. The Rust SDK runs
//! the same cases natively (`guard_sdk::testing`); both read them with `guard_cases`.

use std::path::Path;
use std::sync::Arc;

use guard_cases::Mode;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use guardhost_core::change::{CommitInfo, FileMode, Oid, RepoPath, Task, TaskMode};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::GuardInput;
use guardhost_engine::model::Models;
use guardhost_git::{ScratchFiles, ScratchRepository};
use guardhost_os::slashed;

use super::case_models::CaseModels;

/// A case, ready to be judged.
pub struct LoadedCase {
    /// Its path, relative to the folder of all cases.
    pub name: String,
    pub source: guard_cases::Case,
    pub before: ScratchFiles,
    pub after: ScratchFiles,
    task: Option<Task>,
    settings: Value,
    /// The commits that make the change, oldest first.
    commits: Vec<CommitInfo>,
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

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CommitsFile {
    commits: Vec<CommitFile>,
    /// What is behind the base; only the native tests have it, like the answers of the web and of tools.
    log: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitFile {
    message: String,
    #[serde(default)]
    oid: Option<String>,
    #[serde(default)]
    author: AuthorFile,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct AuthorFile {
    name: String,
    email: String,
}

/// Every case below `folder`, at any depth: a folder with `before` or `after`, or a `.case` file; sorted. Errors name the wrong file.
/// A folder without cases is an error ([`FaultKind::Nothing`]), since an empty test passes for every guard.
pub fn cases(folder: &Path) -> Result<Vec<LoadedCase>> {
    let found = match folder.is_dir() {
        true => guard_cases::find(folder, &["before", "after"]).with_context(|| unreadable(folder))?,
        false => Vec::new(),
    };
    if found.is_empty() {
        let hint = "a case is a folder with before/, after/ and expect.json, or the same in a file NAME.case";
        return Err(Fault::new(FaultKind::Nothing, format!("there are no cases in {}", folder.display()))
            .hint(hint)
            .into());
    }
    found.into_iter().map(|case| LoadedCase::read(case.name, &case.path)).collect()
}

impl LoadedCase {
    fn read(name: String, path: &Path) -> Result<Self> {
        let source = guard_cases::Case::read(path).with_context(|| unreadable(path))?;
        let task: Option<TaskFile> = json(&source, "task.json")?;
        let task = task.map(|TaskFile { text, hints, mode }| Task {
            text,
            hints: hints.iter().map(|hint| RepoPath::from(hint.as_str())).collect(),
            mode: mode.unwrap_or_default(),
            ..Task::default()
        });
        let commits = json::<CommitsFile>(&source, "commits.json")?.unwrap_or_default().commits;
        Ok(LoadedCase {
            name,
            commits: commits.into_iter().map(|commit| commit.info(&source)).collect::<Result<_>>()?,
            before: tree(&source, "before"),
            after: tree(&source, "after"),
            task,
            settings: json(&source, "settings.json")?.unwrap_or(Value::Null),
            source,
        })
    }

    /// What models answer to its questions; None where the case says nothing of models, and none is asked.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: `model.json` is wrong.
    pub fn models(&self) -> Result<Option<Arc<dyn Models>>> {
        let models: Option<CaseModels> = json(&self.source, "model.json")?;
        Ok(models.map(|models| Arc::new(models) as Arc<dyn Models>))
    }

    /// The input for a guard.
    pub fn input(&self, scratch: &ScratchRepository) -> Result<GuardInput> {
        let candidate = scratch.candidate(&self.before, &self.after);
        let mut candidate =
            candidate.with_context(|| Fault::new(FaultKind::Usage, format!("the case {} is no change", self.name)))?;
        candidate.commits = self.commits.clone();
        Ok(GuardInput { candidate, task: self.task.clone(), settings: self.settings.clone() })
    }
}

impl CommitFile {
    fn info(self, case: &guard_cases::Case) -> Result<CommitInfo> {
        let oid = self.oid.map(|oid| {
            let what =
                || Fault::new(FaultKind::Usage, format!("{}: {oid:?} is no object id", case.place("commits.json", 1)));
            Oid::from_str(&oid).with_context(what)
        });
        let AuthorFile { name: author_name, email: author_email } = self.author;
        Ok(CommitInfo { oid: oid.transpose()?, message: self.message, author_name, author_email })
    }
}

/// None when there is no such file.
pub(super) fn json<T: serde::de::DeserializeOwned>(case: &guard_cases::Case, name: &str) -> Result<Option<T>> {
    let Some(text) = case.text(name).with_context(|| Fault::new(FaultKind::Usage, format!("cannot read {name}")))?
    else {
        return Ok(None);
    };
    serde_json::from_str(text).map(Some).map_err(|error| {
        let what = format!("{} is wrong", case.place(name, error.line()));
        guardhost_core::error::Error::new(error).context(Fault::new(FaultKind::Usage, what))
    })
}

fn unreadable(path: &Path) -> Fault {
    Fault::new(FaultKind::Usage, format!("cannot read {}", path.display()))
}

fn tree(case: &guard_cases::Case, side: &str) -> ScratchFiles {
    let mode = |mode| match mode {
        Mode::File => FileMode::File,
        Mode::Executable => FileMode::Executable,
        Mode::Link => FileMode::Symlink,
    };
    let entry =
        |(path, file): (&Path, &guard_cases::File)| (RepoPath::new(slashed(path)), mode(file.mode), file.bytes.clone());
    case.below(side).map(entry).collect()
}
