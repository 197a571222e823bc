//! A case: a folder with `before/`, `after/` and what a guard should say of the way from one to the other. The Rust SDK reads the same
//! folders natively (`guard_sdk::testing`).

use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use guardhost_core::change::{FileMode, RepoPath, Task, TaskMode};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_engine::GuardInput;
use guardhost_git::{Scratch, ScratchFiles};

/// One case, read.
pub struct Case {
    /// Its folder, from the folder of all cases.
    pub name: String,
    pub folder: PathBuf,
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

/// Every folder below `folder`, at any depth, that holds `before` or `after`; sorted. Errors name the file that is wrong; none at
/// all is an error ([`Kind::Nothing`]), since a test of nothing would pass whatever the guard does.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        find(folder, folder, &mut found)?;
    }
    if found.is_empty() {
        let hint = "a case is a folder with before/, after/ and expect.json";
        return Err(Fault::new(Kind::Nothing, format!("there are no cases in {}", folder.display())).hint(hint).into());
    }
    Ok(found)
}

fn find(root: &Path, folder: &Path, found: &mut Vec<Case>) -> Result<()> {
    let list = || -> std::io::Result<Vec<PathBuf>> {
        let mut below = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
        below.retain(|path| path.is_dir());
        below.sort();
        Ok(below)
    };
    for path in list().with_context(|| unreadable(folder))? {
        if path.join("before").is_dir() || path.join("after").is_dir() {
            found.push(Case::read(root, path)?);
        } else {
            find(root, &path, found)?;
        }
    }
    Ok(())
}

impl Case {
    fn read(root: &Path, folder: PathBuf) -> Result<Self> {
        let task: Option<TaskFile> = json(&folder.join("task.json"))?;
        let task = task.map(|TaskFile { text, hints, mode }| Task {
            text,
            hints: hints.iter().map(|hint| RepoPath::from(hint.as_str())).collect(),
            mode: mode.unwrap_or_default(),
            ..Task::default()
        });
        Ok(Case {
            name: folder.strip_prefix(root).unwrap_or(&folder).to_string_lossy().into_owned(),
            before: tree(&folder.join("before"))?,
            after: tree(&folder.join("after"))?,
            task,
            settings: json(&folder.join("settings.json"))?.unwrap_or(Value::Null),
            folder,
        })
    }

    /// As a guard is asked.
    pub fn sample(&self, scratch: &Scratch) -> Result<GuardInput> {
        let candidate = scratch.candidate(&self.before, &self.after);
        let candidate =
            candidate.with_context(|| Fault::new(Kind::Usage, format!("the case {} is no change", self.name)))?;
        Ok(GuardInput { candidate, task: self.task.clone(), settings: self.settings.clone() })
    }
}

/// None when there is no such file.
pub(super) fn text(file: &Path) -> Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(guardhost_core::error::Error::new(error).context(unreadable(file))),
    }
}

fn json<T: serde::de::DeserializeOwned>(file: &Path) -> Result<Option<T>> {
    let parse = |text: String| serde_json::from_str(&text);
    text(file)?.map(parse).transpose().with_context(|| Fault::new(Kind::Usage, format!("{} is wrong", file.display())))
}

fn unreadable(path: &Path) -> Fault {
    Fault::new(Kind::Usage, format!("cannot read {}", path.display()))
}

fn tree(root: &Path) -> Result<ScratchFiles> {
    let mut files = ScratchFiles::new();
    if root.is_dir() {
        gather(root, &RepoPath::from(""), &mut files).with_context(|| unreadable(root))?;
    }
    Ok(files)
}

fn gather(folder: &Path, below: &RepoPath, files: &mut ScratchFiles) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let prefix = if below.as_bytes().is_empty() { Vec::new() } else { [below.as_bytes(), b"/"].concat() };
        let path = RepoPath::new([&prefix, entry.file_name().as_bytes()].concat());
        let meta = fs::symlink_metadata(entry.path())?;
        if meta.is_dir() {
            gather(&entry.path(), &path, files)?;
        } else if meta.is_symlink() {
            files.push((path, FileMode::Symlink, fs::read_link(entry.path())?.into_os_string().into_vec()));
        } else {
            let executable = meta.permissions().mode() & 0o100 != 0;
            let mode = if executable { FileMode::Executable } else { FileMode::File };
            files.push((path, mode, fs::read(entry.path())?));
        }
    }
    Ok(())
}
