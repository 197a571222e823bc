//! The bundle: what pages are made of, and what `host report --format bundle` writes.
//!
//! It holds the objects of the journal as they are, and the files of rounds by the digest of their bytes. Nothing in it is derived, so
//! that two bundles merge into their union: the pages of the union are the pages of both.

mod collect;
mod merge;
mod read;
mod redact;
mod secrets;

use std::collections::{BTreeMap, BTreeSet};

use guardhost_report::journal::{ArtifactRef, Object, ObjectBody};
use guardhost_report::rulings::PastRuling;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Version of the format. A reader refuses a higher one.
pub const VERSION: u32 = 1;

/// The event that carries an object of the journal, of a run that has no trace of its own; `object` has it.
pub const RECORD: &str = "record";
/// The event that carries a file of such a run: its `path` and its `text`.
const RECORD_FILE: &str = "record-file";
/// Such files, and their bytes.
const RECORD_FILES: [&str; 2] = ["0/audit.json", "0/audit-after.json"];
const RECORD_FILE_BYTES: usize = 1 << 20;

/// Recorded runs of one or several machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// See [`VERSION`].
    pub bundle_version: u32,
    /// The programs that wrote it, such as `guardhost/0.1.0`.
    pub made_by: BTreeSet<String>,
    /// Prompts, replies, texts and paths were removed, of at least a part.
    pub redacted: bool,
    /// By the run's id.
    pub runs: BTreeMap<String, RunData>,
    /// Run, PatchSet, Evidence and Decision, by their ids.
    pub objects: BTreeMap<String, Object>,
    /// The texts of files, by `sha256:…` of the file's bytes.
    pub texts: BTreeMap<String, FileText>,
    /// What guards promise, by their ids.
    pub guards: BTreeMap<String, GuardNote>,
    /// What repositories remember of rulings, in the order of time.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rulings: BTreeSet<PastRuling>,
}

/// What belongs to a run beside its objects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunData {
    /// When the run was looked at; RFC 3339 in UTC.
    pub seen: String,
    /// Its process was alive then.
    pub alive: bool,
    /// Number of records that were not understood.
    #[serde(default)]
    pub unread: usize,
    /// By the path below the run's folder, such as `1/reply.txt`.
    pub files: BTreeMap<String, FileRef>,
    /// The trace, by sequence number.
    pub moments: BTreeMap<u64, Moment>,
}

/// A file of a round.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRef {
    /// `sha256:…` of the whole file; where lines with secrets were masked, of what is left. The bundle need not have its text.
    pub key: String,
    /// Size of the whole file.
    pub bytes: u64,
}

/// The text of a file. What is no UTF-8 is replaced by U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileText {
    pub text: String,
    /// Bytes at the end of the file that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// An event of the trace, without texts that a file has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// RFC 3339 in UTC, with microseconds.
    pub ts: String,
    /// From 1; 0 before the first.
    pub round: u32,
    /// The name in the trace.
    pub event: String,
    pub data: Map<String, Value>,
}

/// What a guard says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GuardNote {
    pub version: String,
    /// Its mark, such as `G13`, or empty.
    pub mark: String,
    pub promise: String,
    /// Rule and meaning.
    pub rules: BTreeMap<String, String>,
}

impl Default for Bundle {
    /// Empty.
    fn default() -> Self {
        Bundle {
            bundle_version: VERSION,
            made_by: [concat!("guardhost/", env!("CARGO_PKG_VERSION")).to_owned()].into(),
            redacted: false,
            runs: BTreeMap::new(),
            objects: BTreeMap::new(),
            texts: BTreeMap::new(),
            guards: BTreeMap::new(),
            rulings: BTreeSet::new(),
        }
    }
}

impl Bundle {
    /// Adds an object of the journal; one that is there already is left as it is, since objects never change.
    pub fn add_object(&mut self, object: Object) {
        self.objects.entry(object.object_id.clone()).or_insert(object);
    }

    /// Adds a line of a trace (see `docs/json.md`); a line of the same run and sequence number is left as it is. False for a value
    /// that is no such line.
    pub fn add_event(&mut self, line: &Value) -> bool {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let (Some(run), Some(ts), Some(event)) = (text("run"), text("ts"), text("event")) else { return false };
        let Some(seq) = line.get("seq").and_then(Value::as_u64) else { return false };
        if event == RECORD_FILE {
            let (Some(path), Some(text)) = (text("path"), text("text")) else { return false };
            return self.add_record_file(run, path, text);
        }
        if event == RECORD {
            let object = line.get("object").and_then(|object| serde_json::from_value::<Object>(object.clone()).ok());
            let Some(object) = object.filter(|object| object.run() == run) else { return false };
            self.add_object(object);
            // It was heard of, which the object alone does not say.
            self.runs.entry(run).or_default();
            return true;
        }
        let round = line.get("round").and_then(Value::as_u64).and_then(|round| u32::try_from(round).ok());
        let mut data = line.as_object().cloned().unwrap_or_default();
        data.retain(|key, _| !["run", "ts", "event", "seq", "round"].contains(&key.as_str()));
        let of_run = self.runs.entry(run).or_default();
        of_run.moments.entry(seq).or_insert(Moment { ts, round: round.unwrap_or_default(), event, data });
        true
    }

    fn add_record_file(&mut self, run: String, path: String, text: String) -> bool {
        if !RECORD_FILES.contains(&path.as_str()) || text.len() > RECORD_FILE_BYTES {
            return false;
        }
        let (key, bytes) = (ArtifactRef::file(path.clone(), text.as_bytes()).key, text.len() as u64);
        self.texts.entry(key.clone()).or_insert(FileText { text, cut: 0 });
        self.runs.entry(run).or_default().files.insert(path, FileRef { key, bytes });
        true
    }

    /// For a server, which sees no process: a run is alive that has not ended, and of which something was heard in the last `quiet`.
    /// Of what is in the bundle already, only runs without an end are changed.
    pub fn assume_alive(&mut self, now: jiff::Timestamp, quiet: std::time::Duration) {
        // Runs without a trace are known by their objects alone.
        let mut recorded: BTreeMap<&str, (bool, Option<jiff::Timestamp>)> = BTreeMap::new();
        for object in self.objects.values() {
            let (ended, last) = recorded.entry(object.run()).or_default();
            *ended |= matches!(&object.body, ObjectBody::Decision(decision) if decision.outcome.is_some());
            *last = (*last).max(object.created_at.parse().ok());
        }
        for (id, run) in &mut self.runs {
            let (ended, last) = recorded.get(id.as_str()).copied().unwrap_or_default();
            let ended = ended || run.moments.values().any(|moment| moment.event == "run-ended");
            let heard = run.moments.values().next_back().and_then(|moment| moment.ts.parse::<jiff::Timestamp>().ok());
            let last = last.max(heard);
            let age = last.map(|last| now.duration_since(last).unsigned_abs());
            run.alive = !ended && age.is_some_and(|age| age <= quiet);
            run.seen = format!("{now:.6}");
        }
    }
}
