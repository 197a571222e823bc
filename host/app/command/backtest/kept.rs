//! Verdicts of earlier runs on changes of the past, so that a run that ended early is taken up again: a file of JSON lines below the git
//! directory, one for each set of judges.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use guardhost_core::canonical::sha256;
use guardhost_core::error::{Context, Result};
use guardhost_git::{PastChange, Repo};
use guardhost_os::make_private;
use serde::{Deserialize, Serialize};

use super::judge::PastVerdict;

/// The folder below the host's own in the git directory.
const FOLDER: &str = "backtest";
/// Files that are kept: sets of judges, the newest.
const FILES: usize = 4;

/// What was said, and where more is written.
pub struct KeptPast {
    known: HashMap<String, PastVerdict>,
    file: Option<Mutex<File>>,
    notice: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    change: String,
    verdict: PastVerdict,
}

impl KeptPast {
    /// `judges` is a digest of all that judges; `fresh`: what was said before does not count.
    pub fn open(repo: &Repo, program: &str, judges: &str, fresh: bool) -> Self {
        let name = sha256(format!("{program}\n{judges}").as_bytes());
        let name = format!("{}.jsonl", name.trim_start_matches("sha256:"));
        match open(repo, &name) {
            Ok((path, file)) => {
                let known = if fresh { HashMap::new() } else { read(&path) };
                KeptPast { known, file: Some(Mutex::new(file)), notice: None }
            }
            Err(error) => {
                let notice = format!("the verdicts are not kept, so that another run begins anew: {error:#}");
                KeptPast { known: HashMap::new(), file: None, notice: Some(notice) }
            }
        }
    }

    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub fn get(&self, change: &PastChange) -> Option<PastVerdict> {
        self.known.get(&name(change)).cloned()
    }

    /// What cannot be written is found again by another run.
    pub fn put(&self, change: &PastChange, verdict: &PastVerdict) {
        let Some(file) = self.file.as_ref().filter(|_| verdict.may_be_kept()) else { return };
        let line = Line { change: name(change), verdict: verdict.clone() };
        if let Ok(mut line) = serde_json::to_vec(&line) {
            line.push(b'\n');
            // One write, so that a process that is killed leaves whole lines, or one at the end that is not read.
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        }
    }
}

/// Commits are named by their content, so that both name the change.
fn name(change: &PastChange) -> String {
    let base = change.base.map_or_else(String::new, |base| base.to_string());
    format!("{base}..{}", change.tip)
}

fn open(repo: &Repo, name: &str) -> Result<(PathBuf, File)> {
    let folder = repo.state_dir()?.join(FOLDER);
    fs::create_dir_all(&folder).and_then(|()| make_private(&folder)).context("cannot make its folder")?;
    let path = folder.join(name);
    if !path.exists() {
        remove_old(&folder);
    }
    let file = OpenOptions::new().create(true).append(true).open(&path).context("cannot write its file")?;
    // After a line that was cut off.
    let whole = fs::read(&path).map_or(true, |bytes| bytes.last().is_none_or(|last| *last == b'\n'));
    if !whole {
        (&file).write_all(b"\n").context("cannot write its file")?;
    }
    Ok((path, file))
}

/// Makes room for one more.
fn remove_old(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    files.sort();
    for (_, path) in files.iter().rev().skip(FILES - 1) {
        let _ = fs::remove_file(path);
    }
}

/// The later of two lines about the same change counts.
fn read(path: &Path) -> HashMap<String, PastVerdict> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    lines.map(|line| (line.change, line.verdict)).collect()
}
