//! From the folder of a run into the bundle.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use guardhost_core::error::{Context, Result};
use guardhost_report::journal::{ArtifactRef, History, State};
use serde_json::Value;

use super::secrets::SecretLines;
use super::{Bundle, FileRef, FileText};

/// Bytes of a file that are kept. What follows is counted.
const MAX_TEXT: u64 = 1 << 20;
/// Bytes of a file that are read for its digest; a longer one is named without text.
const MAX_FILE: u64 = 64 << 20;
/// Rounds whose files are looked for.
const MAX_ROUNDS: u32 = 10_000;
/// The files of rounds that pages show.
const SHOWN: [&str; 15] = [
    "prompt.txt",
    "reply.txt",
    "mended.txt",
    "account.json",
    "extracted.patch",
    "sanitized.patch",
    "final.diff",
    "judgement.json",
    "fixes.json",
    "fixed.diff",
    "fixed-judgement.json",
    "part.diff",
    "feedback.txt",
    "audit.json",
    "audit-after.json",
];
/// Data of events that a file of the round has too.
const IN_FILES: [&str; 7] = ["findings", "log", "allowed", "metrics", "digest", "text", "error"];

impl Bundle {
    /// Adds a recorded run as it is now.
    ///
    /// # Errors
    /// When a file of the run cannot be read. One that is gone meanwhile is left out.
    pub fn add_history(&mut self, history: &History) -> Result<()> {
        let mut files = Vec::new();
        // Round 0 has what belongs to the whole run.
        for round in 0..=history.rounds().min(MAX_ROUNDS) + 1 {
            for (path, _) in history.artifacts(round) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if SHOWN.contains(&name.as_str())
                    && let Some((file, text)) = read(&history.dir.join(&path))?
                {
                    files.push((path.to_string_lossy().into_owned(), file, text));
                }
            }
        }
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
        self.add_trace(&history.trace(), &secrets)
    }

    fn add_trace(&mut self, path: &Path, secrets: &SecretLines) -> Result<()> {
        let cannot = || format!("cannot read {}", path.display());
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            file => file.with_context(cannot)?,
        };
        for line in BufReader::new(file).split(b'\n') {
            // A killed run may have torn its last line.
            let Ok(mut line) = serde_json::from_slice::<Value>(&line.with_context(cannot)?) else { continue };
            if let Some(fields) = line.as_object_mut() {
                fields.retain(|key, _| !IN_FILES.contains(&key.as_str()));
            }
            secrets.mask_value(&mut line);
            self.add_event(&line);
        }
        Ok(())
    }
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
