//! A file of what providers answered, to be replayed byte for byte.
//!
//! One JSON object a line: `{"round":1,"provider":"claude","model":"…","usage":{…},"reply":"…"}`, or, for a provider that did not answer,
//! `{"round":1,"provider":"codex","class":"overloaded","message":"…"}`. `round` counts from 1; `reply` is a string, or an array of
//! bytes when it is not UTF-8; `model` and `usage` may be missing. `step` names the part of a command that asked, where a command asks in
//! several parts, each of which counts its rounds from 1: a step of a plan, a batch of issues, a reviewer. Other fields are ignored.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::{FailureClass, ProviderFailure};
use guardhost_core::change::{Reply, Usage};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// One line.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordedRound {
    pub(super) round: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<String>,
    #[serde(default)]
    pub(super) provider: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub(super) usage: Usage,
    #[serde(flatten)]
    pub(super) outcome: RecordedOutcome,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RecordedOutcome {
    Reply { reply: RecordedBody },
    Failure { class: FailureClass, message: String },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RecordedBody {
    Text(String),
    Bytes(Vec<u8>),
}

fn is_unknown(usage: &Usage) -> bool {
    *usage == Usage::default()
}

/// The number of the last round of this part in the recording; None when the file cannot be read.
pub(super) fn last_round(file: &Path, step: Option<&str>) -> Option<u32> {
    for_step(read(file).ok()?, step).iter().map(|record| record.round).max()
}

/// What a part of a command is answered from: its own lines, or, where it has none, those that belong to no part.
pub(super) fn for_step(mut records: Vec<RecordedRound>, step: Option<&str>) -> Vec<RecordedRound> {
    let has_own = step.is_some() && records.iter().any(|record| record.step.as_deref() == step);
    let wanted = if has_own { step } else { None };
    records.retain(|record| record.step.as_deref() == wanted);
    records
}

pub(super) fn read(file: &Path) -> Result<Vec<RecordedRound>, ProviderFailure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| unusable(format!("cannot read {name}: {error}")))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let records = lines.map(|(line, number)| {
        serde_json::from_str(line)
            .map_err(|error| unusable(format!("{name}, line {number}, is not a recorded reply: {error}")))
    });
    records.collect()
}

pub(super) fn unusable(why: String) -> ProviderFailure {
    ProviderFailure::new(FailureClass::Config, why).hint("name a recording made with --record")
}

/// Writes a recording while a run goes on.
#[derive(Debug)]
pub struct Recorder(Mutex<File>);

impl Recorder {
    /// Starts a new recording; an existing file is emptied. Call it before the first question, so that a path that cannot be written
    /// costs no answer.
    pub fn create(file: &Path) -> Result<Self> {
        let opened = File::create(file);
        let opened = opened
            .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write the recording {}", file.display())));
        Ok(Recorder(Mutex::new(opened?)))
    }

    /// Goes on with a recording: another part of the same command.
    pub fn append(file: &Path) -> Result<Self> {
        let opened = File::options().append(true).create(true).open(file);
        let opened = opened
            .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write the recording {}", file.display())));
        Ok(Recorder(Mutex::new(opened?)))
    }

    /// The secrets in `reply` are redacted already.
    pub(super) fn record_reply(&self, round: u32, step: Option<&str>, reply: &Reply) -> Result<()> {
        let body = match std::str::from_utf8(&reply.bytes) {
            Ok(text) => RecordedBody::Text(text.to_owned()),
            Err(_) => RecordedBody::Bytes(reply.bytes.clone()),
        };
        let (provider, model) = (reply.provider.clone(), reply.model.clone());
        let (step, outcome) = (step.map(str::to_owned), RecordedOutcome::Reply { reply: body });
        self.write(&RecordedRound { round, step, provider, model, usage: reply.usage, outcome })
    }

    /// Records a failure of the provider. That a run is over its budget or interrupted is not one, and must not be replayed.
    pub(super) fn record_failure(
        &self,
        round: u32,
        step: Option<&str>,
        provider: &str,
        failure: &ProviderFailure,
    ) -> Result<()> {
        if matches!(failure.class, FailureClass::OverBudget | FailureClass::Interrupted) {
            return Ok(());
        }
        let outcome = RecordedOutcome::Failure { class: failure.class, message: failure.message.clone() };
        let (step, provider) = (step.map(str::to_owned), provider.to_owned());
        self.write(&RecordedRound { round, step, provider, model: None, usage: failure.usage, outcome })
    }

    fn write(&self, record: &RecordedRound) -> Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(&line).with_context(|| Fault::new(FaultKind::Provider, "cannot write the recording"))
    }
}
