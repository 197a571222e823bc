//! The task for a provider, its reply, and the reply after repair.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RepoPath;
use crate::schema_of;

/// What the user wants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Task {
    pub text: String,
    /// Paths that the task names as its scope; empty when none were given.
    pub hints: Vec<RepoPath>,
    pub mode: TaskMode,
    /// Further text for the prompt, such as another file's diff; empty when there is none.
    #[serde(default)]
    pub context: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskMode {
    #[default]
    Normal,
    /// Repair a broken build and change nothing else; manifests must stay as they are.
    CompileFix,
}

/// What the prompt says after a round that was not accepted. Empty in the first round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Feedback {
    /// Ready for a prompt: of bounded length, fenced, with control characters escaped.
    pub text: String,
}

impl Feedback {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// What a provider answered, byte for byte.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub bytes: Vec<u8>,
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model that answered, where the provider reports it.
    pub model: Option<String>,
    pub usage: Usage,
    /// The reply form and the version of the prompt's template: `unified-diff/3`. Empty when there was no prompt.
    pub prompt: &'static str,
    /// The prompt that it answers, byte for byte.
    pub asked: Vec<u8>,
    /// A recording, not a live answer. Every display of the reply says so.
    pub recorded: bool,
}

/// What answers cost; `null` is what the provider does not report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "usage")]
pub struct Usage {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// A cost as a provider reports it; None for what is no cost: below zero, or not finite. It would pay for other answers.
    pub fn cost(reported: Option<f64>) -> Option<f64> {
        reported.filter(|cost| cost.is_finite() && *cost >= 0.0)
    }
}

/// What a run may use; `null`: no bound. The last answer may pass the bounds of tokens and cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "budget")]
pub struct Budget {
    pub seconds: Option<u64>,
    pub tokens: Option<u64>,
    pub cost_usd: Option<f64>,
}

/// A reply after `repair`: the same content, without damage that was certainly done in transit.
#[derive(Debug, Clone, Default)]
pub struct RepairedReply {
    pub bytes: Vec<u8>,
    pub notes: Vec<Note>,
}

/// One thing that a stage repaired or decided, shown to people and kept in the record. No stage decides by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Stable, kebab-case: `crlf`, `recount`, `indented-diff`, …
    pub code: &'static str,
    pub text: String,
}

impl Note {
    pub fn new(code: &'static str, text: impl fmt::Display) -> Self {
        Note { code, text: text.to_string() }
    }
}

/// `code: text`, which is also its form in JSON.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}

impl Serialize for Note {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

schema_of!(Note, String);
