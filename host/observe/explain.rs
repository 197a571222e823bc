//! `host explain`: what guards promise, as plain data and as JSON.

use serde_json::{Value, json};

use crate::change::Finding;

use super::json::guard_info;
use super::pins::GuardInfo;
use super::report::GuardRow;

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

pub fn json(report: &ExplainReport) -> Value {
    match report {
        ExplainReport::All(rows) => json!({ "guards": rows.iter().map(row).collect::<Vec<_>>() }),
        ExplainReport::Guard(guard) => self::guard(guard),
        ExplainReport::Rule(rule) => json!({ "rule": {
            "guard": rule.guard,
            "g": rule.mark,
            "rule": rule.rule,
            "meaning": rule.meaning,
            "examples": rule.examples.iter().map(example).collect::<Vec<_>>(),
        } }),
    }
}

fn row(ExplainRow { row, stages, judges }: &ExplainRow) -> Value {
    json!({
        "id": row.id,
        "g": row.mark,
        "version": row.version,
        "source": row.source,
        "promise": row.promise,
        "stages": stages,
        "judges": judges.word(),
    })
}

fn guard(guard: &Explained) -> Value {
    let setting = |setting: &Setting| {
        json!({
            "name": setting.name,
            "type": setting.kind,
            "default": setting.default,
            "meaning": setting.meaning,
        })
    };
    let rule = |(rule, meaning): &(String, String)| json!({ "rule": rule, "meaning": meaning });
    let mut value = guard_info(&guard.info);
    value["guard"]["judges"] = json!(guard.judges.word());
    value["guard"]["event"] = json!(guard.event);
    value["guard"]["limits"] = json!({ "fuel": guard.fuel, "memory": guard.memory, "seconds": guard.seconds });
    value["guard"]["settings"] = guard.settings.iter().map(setting).collect();
    value["guard"]["rules"] = json!(guard.rules.as_ref().map(|rules| rules.iter().map(rule).collect::<Vec<_>>()));
    value["guard"]["examples"] = guard.examples.iter().map(example).collect();
    value
}

fn example(example: &Example) -> Value {
    let finding = |finding: &Finding| {
        let mut value = json!(finding);
        if let Some(fix) = &finding.fix {
            value["fix"] = json!(fix.title);
        }
        value
    };
    let given: serde_json::Map<_, _> = example.given.iter().cloned().collect();
    json!({
        "verdict": example.verdict,
        "given": given,
        "beside": example.beside,
        "diff": example.diff,
        "findings": example.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
