//! `host explain`: what guards guarantee, with examples of what they reject and accept.

use serde_json::Value;

use guardhost_core::change::Finding;

use super::{GuardInfo, GuardRow, VerdictKind};

pub enum ExplainReport {
    /// Every guard, one row each.
    All(Vec<ExplainRow>),
    Guard(Box<Explained>),
    Rule(Box<ExplainedRule>),
}

/// One guard of the list.
pub struct ExplainRow {
    pub row: GuardRow,
    pub stages: Vec<String>,
    pub judges: Judges,
}

/// Whether a guard runs in this repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judges {
    /// `guards.toml` pins it, or there is no `guards.toml` and it belongs to the default set.
    Here,
    /// Only when it is pinned, or named with `--guard`.
    WhenAsked,
}

impl Judges {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Judges::Here => "here",
            Judges::WhenAsked => "when-asked",
        }
    }
}

/// One guard in full.
pub struct Explained {
    pub info: GuardInfo,
    pub judges: Judges,
    /// The trace event that the guard emits when it rejects; may be empty.
    pub event: String,
    /// Fuel limit of one call, as pinned or by default.
    pub fuel: u64,
    /// Memory limit of one call, in bytes.
    pub memory: u64,
    /// Time limit of one build or test run.
    pub seconds: u64,
    pub settings: Vec<Setting>,
    /// Rule and meaning. None for a guard that describes no rules.
    pub rules: Option<Vec<(String, String)>>,
    pub examples: Vec<Example>,
    /// For rules that none of the examples shows. Only a rule's own page has them.
    pub of_rules: Vec<Example>,
}

/// One rule of a guard.
pub struct ExplainedRule {
    /// The guard's id.
    pub guard: String,
    pub mark: String,
    pub rule: String,
    /// Markdown.
    pub meaning: String,
    /// One with a finding of this rule, and one that the guard accepts.
    pub examples: Vec<Example>,
}

/// A setting, from the guard's settings schema.
pub struct Setting {
    pub name: String,
    /// The type and its bounds in words: `integer, at least 1`.
    pub kind: String,
    pub default: Value,
    pub meaning: String,
}

/// One of the guard's own test cases.
#[derive(Clone)]
pub struct Example {
    /// What the guard says of the change.
    pub verdict: VerdictKind,
    /// Other inputs of the guard, such as its settings: name and JSON.
    pub given: Vec<(String, Value)>,
    /// Files that the change leaves as they are.
    pub beside: Vec<String>,
    /// The change, as a git diff.
    pub diff: String,
    /// A fix has a title and no edits.
    pub findings: Vec<Finding>,
}
