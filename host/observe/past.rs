//! The runs that left records: which there are, what became of them, and which to forget.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::error::{Context, Result};

use super::records::{TRACE, runs_dir};

/// How many runs are worth keeping, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    pub max_runs: usize,
    pub max_age: Duration,
}

impl Default for Keep {
    fn default() -> Self {
        Keep { max_runs: 50, max_age: Duration::from_secs(30 * 24 * 60 * 60) }
    }
}

/// Removes the folders of runs that are too old or too many, and says how many it removed. The newest run always stays.
pub fn prune(state_dir: &Path, keep: Keep, now: SystemTime) -> Result<usize> {
    let old = |changed: SystemTime| now.duration_since(changed).is_ok_and(|age| age > keep.max_age);
    let runs = runs(state_dir)?;
    let gone = runs.iter().enumerate().skip(1).filter(|(n, (changed, _))| *n >= keep.max_runs || old(*changed));
    let mut removed = 0;
    for (_, (_, dir)) in gone {
        match fs::remove_dir_all(dir) {
            Ok(()) => removed += 1,
            // Another process pruned it.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove the record {}", dir.display())),
        }
    }
    Ok(removed)
}

/// Newest first. What is not a folder (a link least of all) is not ours.
fn runs(state_dir: &Path) -> Result<Vec<(SystemTime, PathBuf)>> {
    let dir = runs_dir(state_dir);
    let entries = match fs::read_dir(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot read the records in {}", dir.display()))?,
    };
    let mut runs = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read the records in {}", dir.display()))?;
        // The trace grows until the run ends; its folder's own time stops when the last round begins.
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let path = entry.path();
            // One that vanishes meanwhile was pruned by another process.
            if let Ok(changed) = changed(&path.join(TRACE)).or_else(|_| changed(&path)) {
                runs.push((changed, path));
            }
        }
    }
    runs.sort_by(|a, b| b.cmp(a));
    Ok(runs)
}

/// What the trace of a run says of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PastRun {
    pub run: String,
    pub dir: PathBuf,
    /// RFC 3339; empty when not even the first line was written.
    pub started: String,
    pub task: String,
    pub provider: String,
    pub base: String,
    /// None when it did not come to its end: it is still at work, or was killed.
    pub outcome: Option<String>,
    pub commit: Option<String>,
    pub rounds: u64,
    pub micros: u64,
}

/// The newest runs, newest first; at most `limit`.
pub fn last_runs(state_dir: &Path, limit: usize) -> Result<Vec<PastRun>> {
    runs(state_dir)?.into_iter().take(limit).map(|(_, dir)| past_run(dir)).collect()
}

fn past_run(dir: PathBuf) -> Result<PastRun> {
    let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut past = PastRun { run: name, ..PastRun::default() };
    match File::open(dir.join(TRACE)) {
        Ok(file) => {
            for line in BufReader::new(file).split(b'\n') {
                let line = line.with_context(|| format!("cannot read the trace in {}", dir.display()))?;
                // The last line may be torn, when the run was killed.
                if let Ok(line) = serde_json::from_slice(&line) {
                    past.learn(&line);
                }
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot read the trace in {}", dir.display())),
    }
    past.dir = dir;
    Ok(past)
}

impl PastRun {
    fn learn(&mut self, line: &Value) {
        let text = |key: &str| line[key].as_str().map(str::to_owned);
        match line["event"].as_str() {
            Some("run-started") => {
                self.started = text("ts").unwrap_or_default();
                self.task = text("task").unwrap_or_default();
                self.provider = text("provider").unwrap_or_default();
                self.base = text("base").unwrap_or_default();
            }
            Some("round-started") => self.rounds = line["round"].as_u64().unwrap_or(self.rounds),
            Some("run-ended") => {
                self.outcome = text("outcome");
                self.commit = text("commit");
                self.micros = line["micros"].as_u64().unwrap_or_default();
            }
            _ => {}
        }
    }
}
