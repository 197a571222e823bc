//! Three questions, and the answers to them.

use critics::Lines;
use serde::Deserialize;
use serde_json::json;

/// What is asked about, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// What shows that it works.
    Evidence,
    /// What happens at the edges.
    Edge,
    /// What else it touches.
    Scope,
}

pub const SLOTS: [Slot; 3] = [Slot::Evidence, Slot::Edge, Slot::Scope];

impl Slot {
    pub fn as_str(self) -> &'static str {
        match self {
            Slot::Evidence => "evidence",
            Slot::Edge => "edge",
            Slot::Scope => "scope",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Handled,
    Gap,
    Uncertain,
}

#[derive(Debug, Deserialize)]
pub struct Questions {
    pub questions: Vec<ReviewQuestion>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ReviewQuestion {
    pub slot: Slot,
    pub question: String,
}

#[derive(Debug, Deserialize)]
pub struct Answers {
    pub answers: Vec<Answered>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Answered {
    pub slot: Slot,
    pub verdict: State,
    /// `path:line`; empty without one.
    pub evidence: String,
    pub rationale: String,
}

impl Answered {
    /// The place that is cited, if it is there.
    pub fn place<'l>(&self, lines: &'l Lines) -> Option<(&'l str, u32)> {
        let (path, line) = self.evidence.trim().rsplit_once(':')?;
        let (path, line) = (lines.path(path)?, line.parse().ok()?);
        lines.has(path, line).then_some((path, line))
    }

    /// Handled only where the cited line is there.
    pub fn checked(&self, lines: &Lines) -> State {
        match self.verdict {
            State::Handled if self.place(lines).is_none() => State::Gap,
            other => other,
        }
    }
}

pub fn questions_schema() -> String {
    three("questions", json!({"question": {"type": "string", "minLength": 1, "maxLength": 600}}), &["question"])
}

pub fn answers_schema() -> String {
    let properties = json!({
        "verdict": {"type": "string", "enum": ["handled", "gap", "uncertain"]},
        "evidence": {"type": "string", "maxLength": 300, "description": "path:line of the change that shows it; empty without one"},
        "rationale": {"type": "string", "maxLength": 1200},
    });
    three("answers", properties, &["verdict", "evidence", "rationale"])
}

fn three(name: &str, mut properties: serde_json::Value, required: &[&str]) -> String {
    properties["slot"] = json!({"type": "string", "enum": SLOTS.map(Slot::as_str)});
    let required: Vec<&str> = ["slot"].iter().chain(required).copied().collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": [name],
        "properties": {name: {
            "type": "array", "minItems": 3, "maxItems": 3,
            "items": {"type": "object", "additionalProperties": false, "required": required, "properties": properties},
        }},
    })
    .to_string()
}
