//! What providers answered, kept in a file, to be given again byte for byte.
//!
//! One JSON object a line: `{"round":1,"provider":"claude","model":"…","usage":{…},"reply":"…"}`, or, of a provider that did not answer,
//! `{"round":1,"provider":"codex","class":"overloaded","message":"…"}`. `round` counts from 1; `reply` is a string, or an array of
//! bytes when it is not UTF-8; `model` and `usage` may be missing. Other fields are ignored.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::{FailureClass, ProviderFailure};
use guardhost_core::change::{Event, Observer, Reply, Usage};
use guardhost_core::error::{Context, Fault, Kind, Result};

#[derive(Serialize, Deserialize)]
struct Line {
    round: u32,
    #[serde(default)]
    provider: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    usage: Usage,
    #[serde(flatten)]
    said: Said,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Said {
    Answer { reply: Body },
    ProviderFailure { class: FailureClass, message: String },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Body {
    Text(String),
    Bytes(Vec<u8>),
}

fn is_nothing(usage: &Usage) -> bool {
    *usage == Usage::default()
}

/// What the recording holds for a round: the last line. Of the failures before it the observer is told, as it was in the run.
pub(super) fn replay(file: &Path, round: u32, observer: &dyn Observer) -> Result<Answer, ProviderFailure> {
    let mut lines = read(file)?;
    lines.retain(|line| line.round == round);
    let Some(last) = lines.pop() else {
        return Err(wrong(format!("{} holds no reply for round {round}", file.display())));
    };
    let after = lines.iter().skip(1).chain([&last]);
    for (line, next) in lines.iter().zip(after) {
        if let Said::ProviderFailure { class, message } = &line.said {
            observer.see(&Event::ProviderFailed {
                provider: line.provider.clone(),
                class: class.name(),
                message: message.clone(),
                next: Some(next.provider.clone()),
            });
        }
    }
    let Line { provider, model, usage, said, .. } = last;
    let bytes = match said {
        Said::Answer { reply: Body::Text(text) } => text.into_bytes(),
        Said::Answer { reply: Body::Bytes(bytes) } => bytes,
        Said::ProviderFailure { class, message } => {
            return Err(ProviderFailure { usage, ..ProviderFailure::new(class, message) });
        }
    };
    let provider = Some(provider).filter(|name| !name.is_empty());
    Ok(Answer { provider, ..Answer::new(bytes, model, usage) })
}

/// The last round of which the recording tells anything; None when it cannot be read.
pub(super) fn rounds(file: &Path) -> Option<u32> {
    read(file).ok()?.iter().map(|line| line.round).max()
}

fn read(file: &Path) -> Result<Vec<Line>, ProviderFailure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot read {name}: {error}")))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let parsed = lines.map(|(line, number)| {
        serde_json::from_str(line)
            .map_err(|error| wrong(format!("{name}, line {number}, is not a recorded reply: {error}")))
    });
    parsed.collect()
}

fn wrong(why: String) -> ProviderFailure {
    ProviderFailure::new(FailureClass::Config, why).hint("name a recording made with --record")
}

/// Writes a recording as a run goes.
#[derive(Debug)]
pub struct Recorder(Mutex<File>);

impl Recorder {
    /// Starts a new recording; what stood in the file is lost. Made before the first question, so that a path that cannot
    /// be written costs no answer.
    pub fn create(file: &Path) -> Result<Self> {
        let opened = File::create(file);
        let opened =
            opened.with_context(|| Fault::new(Kind::Usage, format!("cannot write the recording {}", file.display())));
        Ok(Recorder(Mutex::new(opened?)))
    }

    /// A reply in which the secrets are blotted out.
    pub(super) fn keep(&self, round: u32, reply: &Reply) -> Result<()> {
        let body = match std::str::from_utf8(&reply.bytes) {
            Ok(text) => Body::Text(text.to_owned()),
            Err(_) => Body::Bytes(reply.bytes.clone()),
        };
        let (provider, model) = (reply.provider.clone(), reply.model.clone());
        self.write(&Line { round, provider, model, usage: reply.usage, said: Said::Answer { reply: body } })
    }

    /// A failure of the provider's own: that a run is over or interrupted is nothing to be played again.
    pub(super) fn keep_failure(&self, round: u32, provider: &str, failure: &ProviderFailure) -> Result<()> {
        if matches!(failure.class, FailureClass::OverBudget | FailureClass::Interrupted) {
            return Ok(());
        }
        let said = Said::ProviderFailure { class: failure.class, message: failure.message.clone() };
        self.write(&Line { round, provider: provider.to_owned(), model: None, usage: failure.usage, said })
    }

    fn write(&self, line: &Line) -> Result<()> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(&line).with_context(|| Fault::new(Kind::Provider, "cannot write the recording"))
    }
}
