//! What guards promise.

use serde_json::Value;

use super::guards::{GuardInfo, GuardRow};
use guardhost_core::change::Finding;

pub enum ExplainReport {
    All(Vec<ExplainRow>),
    Guard(Box<Explained>),
    Rule(Box<ExplainedRule>),
}

/// One line of the list.
pub struct ExplainRow {
    pub row: GuardRow,
    pub stages: Vec<String>,
    pub judges: Judges,
}

/// Whether a guard is asked here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judges {
    /// `guards.toml` pins it, or there is none and it is in the set without one.
    Here,
    /// It must be pinned, or named with `--guard`.
    WhenAsked,
}

pub struct Explained {
    pub info: GuardInfo,
    pub judges: Judges,
    /// The name of the trace's event when it rejects; may be empty.
    pub event: String,
    /// Of one call, as pinned or by default.
    pub fuel: u64,
    pub memory: u64,
    /// Of one build or test run.
    pub seconds: u64,
    pub settings: Vec<Setting>,
    /// None for a guard that is not embedded: its component does not tell.
    pub rules: Option<Vec<(String, String)>>,
    pub examples: Vec<Example>,
}

pub struct ExplainedRule {
    pub guard: String,
    pub mark: String,
    pub rule: String,
    /// Markdown.
    pub meaning: String,
    /// Those in which it is found.
    pub examples: Vec<Example>,
}

/// As the guard's schema describes it.
pub struct Setting {
    pub name: String,
    /// `integer, at least 1`.
    pub kind: String,
    pub default: Value,
    pub meaning: String,
}

/// Out of the guard's own cases.
#[derive(Clone)]
pub struct Example {
    /// `reject` or `pass`.
    pub verdict: String,
    /// What else the guard was told: name and JSON.
    pub given: Vec<(String, Value)>,
    /// Files that stay as they are.
    pub beside: Vec<String>,
    pub diff: String,
    /// Of a fix only the title is known.
    pub findings: Vec<Finding>,
}

impl Judges {
    pub fn word(self) -> &'static str {
        match self {
            Judges::Here => "here",
            Judges::WhenAsked => "when-asked",
        }
    }
}
