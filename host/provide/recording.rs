//! Replies kept in a file, to be given again byte for byte.
//!
//! One JSON object a line: `{"round":1,"provider":"claude","model":"…","reply":"…"}`. `round` counts from 1; `reply` is a
//! string, or an array of bytes when it is not UTF-8; `provider` says who gave it; `model` may be missing. Other fields are ignored.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::{Class, Failure};
use crate::change::Reply;
use crate::error::{Context, Fault, Kind, Result};

#[derive(Serialize, Deserialize)]
struct Line {
    round: u32,
    #[serde(default)]
    provider: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    reply: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Body {
    Text(String),
    Bytes(Vec<u8>),
}

/// The reply that the recording holds for a round: of several, the last.
pub(super) fn replay(file: &Path, round: u32) -> Result<Answer, Failure> {
    let name = file.display();
    let wrong = |why: String| Failure::new(Class::Config, why).hint("name a recording made with --record");
    let text = std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot read {name}: {error}")))?;
    let mut found = None;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line)
            .map_err(|error| wrong(format!("{name}, line {}, is not a recorded reply: {error}", number + 1)))?;
        if line.round == round {
            found = Some(line);
        }
    }
    let line = found.ok_or_else(|| wrong(format!("{name} holds no reply for round {round}")))?;
    let bytes = match line.reply {
        Body::Text(text) => text.into_bytes(),
        Body::Bytes(bytes) => bytes,
    };
    Ok(Answer { bytes, model: line.model, usage: Default::default() })
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

    pub(super) fn keep(&self, round: u32, reply: &Reply) -> Result<()> {
        let body = match std::str::from_utf8(&reply.bytes) {
            Ok(text) => Body::Text(text.to_owned()),
            Err(_) => Body::Bytes(reply.bytes.clone()),
        };
        let line = Line { round, provider: reply.provider.clone(), model: reply.model.clone(), reply: body };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(&line).with_context(|| Fault::new(Kind::Provider, "cannot write the recording"))
    }
}
