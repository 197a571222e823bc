//! From the folder of a run into the bundle.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Result};
use guardhost_report::journal::{ArtifactRef, Depth, History, JUDGEMENT, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::secrets::SecretLines;
use super::{Bundle, FileRef, FileText};

/// Bytes of a file that are kept. What follows is counted.
const MAX_TEXT: u64 = 1 << 20;
/// Bytes of a file that are read for its digest; a longer one is named without text.
const MAX_FILE: u64 = 64 << 20;
/// Rounds whose files are looked for.
const MAX_ROUNDS: u32 = 10_000;
/// The files of rounds that pages show.
const SHOWN: [&str; 16] = [
    "prompt.txt",
    "reply.txt",
    "mended.txt",
    "account.json",
    "extracted.patch",
    "sanitized.patch",
    "final.diff",
    "around.diff",
    "judgement.json",
    "fixes.json",
    "fixed.diff",
    "fixed-judgement.json",
    "part.diff",
    "feedback.txt",
    "audit.json",
    "audit-after.json",
];
/// Those of them that figures are counted from.
const COUNTED: [&str; 4] = ["judgement.json", "fixed-judgement.json", "audit.json", "audit-after.json"];
/// Data of events that a file of the round has too.
const IN_FILES: [&str; 7] = ["findings", "log", "allowed", "metrics", "digest", "text", "error"];

impl Bundle {
    /// Adds a recorded run as it is now.
    ///
    /// # Errors
    /// When a file of the run cannot be read. One that is gone meanwhile is left out.
    pub fn add_history(&mut self, history: &History) -> Result<()> {
        self.add_files(history, files(history, &SHOWN)?)
    }

    /// Adds what figures and lists need of the run in this folder, and nothing that only its own pages show.
    ///
    /// # Errors
    /// As [`Self::add_history`].
    pub fn add_figures(&mut self, folder: PathBuf) -> Result<()> {
        let history = History::read(folder.clone(), Depth::Outcome)?;
        let files = files(&history, &COUNTED)?;
        let is_judged = |round| files.iter().any(|(path, ..)| *path == format!("{round}/{JUDGEMENT}"));
        let names_secret = files.iter().any(|(.., text)| text.text.contains("\"secret\""));
        // A secret is masked wherever it stands, which only the other files tell; and where a judgement is gone, the Evidence has it.
        match history.patch_sets().all(|(_, set)| is_judged(set.round)) && !names_secret {
            true => self.add_files(&history, files),
            false => self.add_history(&History::read(folder, Depth::All)?),
        }
    }

    fn add_files(&mut self, history: &History, mut files: Vec<CollectedFile>) -> Result<()> {
        let judged: BTreeSet<u32> = files
            .iter()
            .filter_map(|(path, ..)| path.split_once('/'))
            .filter_map(|(round, name)| round.parse().ok().filter(|_| name == JUDGEMENT))
            .collect();
        let secrets = SecretLines::new(&files);
        secrets.mask(&mut files);
        let run = self.runs.entry(history.run.clone()).or_default();
        run.seen = format!("{:.6}", jiff::Timestamp::now());
        run.alive = history.state() == State::Running;
        run.unread = history.unread;
        for (path, file, text) in files {
            self.texts.entry(file.key.clone()).or_insert(text);
            run.files.insert(path, file);
        }
        for object in &history.objects {
            let mut object = object.clone();
            if !secrets.is_empty() {
                let mut value = serde_json::to_value(&object)?;
                secrets.mask_value(&mut value);
                object = serde_json::from_value(value)?;
            }
            self.add_object(object);
        }
        self.add_trace(&history.trace(), &secrets, &judged)
    }

    /// `judged`: the rounds whose judgement has what the events of single guards say.
    fn add_trace(&mut self, path: &Path, secrets: &SecretLines, judged: &BTreeSet<u32>) -> Result<()> {
        let cannot = || format!("cannot read {}", path.display());
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            file => file.with_context(cannot)?,
        };
        for line in BufReader::new(file).split(b'\n') {
            let line = line.with_context(cannot)?;
            // A killed run may have torn its last line.
            let Ok(head) = serde_json::from_slice::<EventHead>(&line) else { continue };
            if head.event == "judged" && judged.contains(&head.round) {
                let EventHead { run, ts, seq, round, event } = head;
                self.add_event(&json!({ "run": run, "ts": ts, "seq": seq, "round": round, "event": event }));
                continue;
            }
            let Ok(mut line) = serde_json::from_slice::<Value>(&line) else { continue };
            if let Some(fields) = line.as_object_mut() {
                fields.retain(|key, _| !IN_FILES.contains(&key.as_str()));
            }
            secrets.mask_value(&mut line);
            self.add_event(&line);
        }
        Ok(())
    }
}

/// Where and when an event happened, and which.
#[derive(Deserialize)]
struct EventHead {
    #[serde(default)]
    run: String,
    #[serde(default)]
    ts: String,
    #[serde(default)]
    seq: u64,
    #[serde(default)]
    round: u32,
    #[serde(default)]
    event: String,
}

/// A file of a run: its path below the run's folder, its digest, and its text.
type CollectedFile = (String, FileRef, FileText);

/// The files of these names, of all rounds. Round 0 has what belongs to the whole run.
fn files(history: &History, names: &[&str]) -> Result<Vec<CollectedFile>> {
    let mut files = Vec::new();
    for round in 0..=history.rounds().min(MAX_ROUNDS) + 1 {
        for (path, _) in history.artifacts(round) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if names.contains(&name.as_str())
                && let Some((file, text)) = read(&history.dir.join(&path))?
            {
                files.push((path.to_string_lossy().into_owned(), file, text));
            }
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<Option<(FileRef, FileText)>> {
    let cannot = || format!("cannot read {}", path.display());
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(cannot)?,
    };
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes).with_context(cannot)?;
    let key = ArtifactRef::file(String::new(), &bytes).key;
    let kept = bytes.len().min(MAX_TEXT as usize);
    // A judgement is no use in parts.
    let kept = if path.extension().is_some_and(|ending| ending == "json") { bytes.len() } else { kept };
    let text = String::from_utf8_lossy(&bytes[..kept]).into_owned();
    let size = bytes.len() as u64;
    Ok(Some((FileRef { key, bytes: size }, FileText { text, cut: size - kept as u64 })))
}
