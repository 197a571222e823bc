//! What is asked of a provider, what it answers, and what repair made of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::RepoPath;

/// What the user wants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Task {
    pub text: String,
    /// Paths that the task names as its scope; empty when none were given.
    pub hints: Vec<RepoPath>,
    pub mode: TaskMode,
    /// What the provider is told beside the task, such as another file's diff; empty when there is nothing.
    #[serde(default)]
    pub context: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskMode {
    #[default]
    Normal,
    /// The build is broken and only that is to be mended: manifests are out of bounds.
    CompileFix,
}

/// What a provider is told after a round that was not accepted. Empty in the first round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Feedback {
    /// Ready to be put into a prompt: bounded, fenced, with control characters made harmless.
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
    /// The model that really answered, where the provider tells.
    pub model: Option<String>,
    pub usage: Usage,
    /// The form that was asked for and the version of the prompt's template: `unified-diff/3`. Empty when nobody was asked.
    pub prompt: &'static str,
    /// What it answers, byte for byte.
    pub asked: Vec<u8>,
    /// A recording, not a live answer. Shown wherever the reply is shown.
    pub recorded: bool,
}

/// What the answer cost, where the provider tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cost_usd: Option<f64>,
}

/// What a run may use up in all; None: no bound. It is looked at before each question, so the last answer may pass the bounds of
/// tokens and cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Seconds of wall time; a question that is under way when they end is ended.
    pub seconds: Option<u64>,
    /// Of prompts and answers together, where the providers tell.
    pub tokens: Option<u64>,
    /// US dollars, where the providers tell.
    pub cost_usd: Option<f64>,
}

/// A reply after `repair`: the same content, with what surely was damage in transit taken out.
#[derive(Debug, Clone, Default)]
pub struct Mended {
    pub bytes: Vec<u8>,
    pub notes: Vec<Note>,
}

/// One thing that was mended on the way, told to people and kept in the record.
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
