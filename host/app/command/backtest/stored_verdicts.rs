//! Verdicts of earlier runs on changes of the past, so that a run that ended early is taken up again: a file of JSON lines below the git
//! directory, one for each set of judges.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use guardhost_core::canonical::sha256;
use guardhost_core::error::Result;
use guardhost_git::{PastChange, Repo};
use serde::{Deserialize, Serialize};

use super::judge::PastVerdict;
use super::stored_lines::StoredLines;

/// The folder below the host's own in the git directory.
const FOLDER: &str = "backtest";
/// Files that are kept: sets of judges, the newest.
const FILES: usize = 4;

/// What was said, and where more is written.
pub struct StoredVerdicts {
    known: HashMap<String, PastVerdict>,
    file: Option<StoredLines<StoredVerdictLine>>,
    notice: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredVerdictLine {
    change: String,
    verdict: PastVerdict,
}

impl StoredVerdicts {
    /// `judges` is a digest of all that judges; `fresh`: what was said before does not count.
    pub fn open(repo: &Repo, program: &str, judges: &str, fresh: bool) -> Self {
        let name = sha256(format!("{program}\n{judges}").as_bytes());
        let name = format!("{}.jsonl", name.trim_start_matches("sha256:"));
        match open(repo, &name, fresh) {
            // The later of two lines about the same change counts.
            Ok((file, lines)) => StoredVerdicts {
                known: lines.into_iter().map(|line| (line.change, line.verdict)).collect(),
                file: Some(file),
                notice: None,
            },
            Err(error) => {
                let notice = format!("the verdicts are not stored, so that another run starts over: {error:#}");
                StoredVerdicts { known: HashMap::new(), file: None, notice: Some(notice) }
            }
        }
    }

    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub fn get(&self, change: &PastChange) -> Option<PastVerdict> {
        self.known.get(&name(change)).cloned()
    }

    pub fn put(&self, change: &PastChange, verdict: &PastVerdict) {
        if let Some(file) = self.file.as_ref().filter(|_| verdict.may_be_kept()) {
            file.add(&StoredVerdictLine { change: name(change), verdict: verdict.clone() });
        }
    }
}

/// Commits are named by their content, so that both name the change.
fn name(change: &PastChange) -> String {
    let base = change.base.map_or_else(String::new, |base| base.to_string());
    format!("{base}..{}", change.tip)
}

fn open(repo: &Repo, name: &str, fresh: bool) -> Result<(StoredLines<StoredVerdictLine>, Vec<StoredVerdictLine>)> {
    let folder = repo.state_dir()?.join(FOLDER);
    let path = folder.join(name);
    if !path.exists() {
        remove_old(&folder);
    }
    StoredLines::open(&path, fresh)
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
