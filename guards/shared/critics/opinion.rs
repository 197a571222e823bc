//! What a model finds, as it is asked for and as it is read.

use guard_sdk::{Finding, Severity};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::lines::Lines;

/// Findings of one answer, and characters of their texts.
const FINDINGS: usize = 30;
const TITLE: usize = 160;
const DETAIL: usize = 1_200;

/// In the words that reviewers use, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// It must not be merged like this.
    Blocker,
    /// It is wrong, or will be soon.
    Major,
    Minor,
    /// A matter of taste.
    Nit,
}

impl Importance {
    pub fn as_str(self) -> &'static str {
        match self {
            Importance::Blocker => "blocker",
            Importance::Major => "major",
            Importance::Minor => "minor",
            Importance::Nit => "nit",
        }
    }

    fn severity(self) -> Severity {
        match self {
            Importance::Blocker | Importance::Major => Severity::Error,
            Importance::Minor => Severity::Warning,
            Importance::Nit => Severity::Info,
        }
    }
}

/// An opinion on a line of the candidate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Opinion {
    pub severity: Importance,
    pub path: String,
    /// From 1.
    pub line: u32,
    pub title: String,
    #[serde(default)]
    pub detail: String,
    /// One of those that the schema names; empty where it names none.
    #[serde(default)]
    pub axiom: String,
}

/// What an answer came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Read {
    pub opinions: Vec<Opinion>,
    /// Opinions that named no line of the change's files, and do not count.
    pub uncited: usize,
}

/// The schema of an answer. Every opinion cites one of the axioms, if there are some.
pub fn findings_schema(axioms: &[&str]) -> String {
    let mut required = vec!["severity", "path", "line", "title", "detail"];
    let mut properties = json!({
        "severity": {"type": "string", "enum": ["blocker", "major", "minor", "nit"]},
        "path": {"type": "string", "description": "a file of the change, as its heading has it"},
        "line": {"type": "integer", "minimum": 1, "description": "the number before a line of that file"},
        "title": {"type": "string", "maxLength": TITLE, "description": "what is wrong, in a sentence"},
        "detail": {"type": "string", "maxLength": DETAIL, "description": "why, and what to write instead"},
    });
    if !axioms.is_empty() {
        properties["axiom"] = json!({"type": "string", "enum": axioms});
        required.push("axiom");
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["findings"],
        "properties": {"findings": {
            "type": "array",
            "maxItems": FINDINGS,
            "items": {"type": "object", "additionalProperties": false, "required": required, "properties": properties},
        }},
    })
    .to_string()
}

/// Reads an answer that fits the schema.
pub fn read(answer: &str, lines: &Lines) -> Result<Read, String> {
    let mut answer: Value = serde_json::from_str(answer).map_err(|error| error.to_string())?;
    let all: Vec<Opinion> = serde_json::from_value(answer["findings"].take()).map_err(|error| error.to_string())?;
    let said = all.len();
    let placed = all.into_iter().filter_map(|opinion| {
        let path = lines.path(&opinion.path)?.to_owned();
        lines.has(&path, opinion.line).then_some(Opinion { path, ..opinion })
    });
    let opinions: Vec<Opinion> = placed.collect();
    Ok(Read { uncited: said - opinions.len(), opinions })
}

/// The finding of an opinion; `by` says whose it is.
pub fn finding(rule: &str, opinion: &Opinion, by: &str) -> Finding {
    let message = format!("{} ({}, {by})", opinion.title.trim_end_matches('.'), opinion.severity.as_str());
    let finding = Finding { severity: opinion.severity.severity(), ..Finding::error(rule, message) };
    let finding = finding.at(&opinion.path, opinion.line).attribute("importance", opinion.severity.as_str());
    match opinion.detail.trim() {
        "" => finding,
        detail => finding.help(detail),
    }
}
