//! `host explain`: what guards guarantee, with examples of what they reject and accept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use guardhost_core::change::{Finding, Fix};
use guardhost_core::limits::Limits;
use guardhost_core::{serialized_names, written_from};

use super::{GuardInfo, GuardRow, VerdictKind};

/// What guards guarantee.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "explain")]
pub enum ExplainReport {
    /// `host explain`
    #[schemars(title = "explainAll")]
    All { guards: Vec<ExplainRow> },
    /// `host explain GUARD`
    #[schemars(title = "explainGuard")]
    Guard { guard: Box<Explained> },
    /// `host explain GUARD/RULE`
    #[schemars(title = "explainRule")]
    Rule { rule: Box<ExplainedRule> },
}

/// One guard of the list.
pub struct ExplainRow {
    pub row: GuardRow,
    pub stages: Vec<String>,
    pub judges: Judges,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "explainRow")]
struct ExplainRowKeys<'a> {
    id: &'a str,
    /// Its mark, such as `G13`, or empty.
    g: &'a str,
    version: &'a str,
    source: &'a str,
    promise: &'a str,
    stages: &'a [String],
    judges: Judges,
}

impl<'a> From<&'a ExplainRow> for ExplainRowKeys<'a> {
    fn from(ExplainRow { row, stages, judges }: &'a ExplainRow) -> Self {
        ExplainRowKeys {
            id: &row.id,
            g: &row.mark,
            version: &row.version,
            source: &row.source,
            promise: &row.promise,
            stages,
            judges: *judges,
        }
    }
}

written_from!(ExplainRow, ExplainRowKeys<'_>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "judges")]
pub enum Judges {
    /// Pinned, or by default.
    Here,
    /// Pinned, or with `--guard`.
    WhenAsked,
}

serialized_names!(Judges);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "explained")]
pub struct Explained {
    #[serde(flatten)]
    pub info: GuardInfo,
    pub judges: Judges,
    /// Its [trace event](records.md#events-of-guards), or empty.
    pub event: String,
    /// Of one call.
    pub limits: Limits,
    pub settings: Vec<Setting>,
    pub rules: Option<Vec<RuleMeaning>>,
    /// One rejected, one accepted.
    pub examples: Vec<Example>,
    /// For rules that none of the examples shows. Only a rule's own page has them.
    #[serde(skip)]
    pub of_rules: Vec<Example>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ruleMeaning")]
pub struct RuleMeaning {
    pub rule: String,
    /// Markdown.
    pub meaning: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "explainedRule")]
pub struct ExplainedRule {
    pub guard: String,
    #[serde(rename = "g")]
    pub mark: String,
    pub rule: String,
    /// Markdown.
    pub meaning: String,
    /// With a finding, and without.
    pub examples: Vec<Example>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "setting")]
pub struct Setting {
    pub name: String,
    /// With its bounds: `integer, at least 1`.
    #[serde(rename = "type")]
    pub kind: String,
    pub default: Value,
    pub meaning: String,
}

/// One of the guard's own test cases.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "example")]
pub struct Example {
    pub verdict: VerdictKind,
    /// Task, settings, plan and the like.
    pub given: serde_json::Map<String, Value>,
    /// Unchanged files.
    pub beside: Vec<String>,
    /// A git diff.
    pub diff: String,
    /// `fix` is only its title.
    #[serde(serialize_with = "titled")]
    #[schemars(with = "Vec<TitledFinding>")]
    pub findings: Vec<Finding>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "titledFinding")]
pub struct TitledFinding {
    #[serde(flatten)]
    finding: Finding,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl From<TitledFinding> for Finding {
    fn from(TitledFinding { finding, fix }: TitledFinding) -> Self {
        Finding { fix: fix.map(|title| Fix { title, edits: Vec::new() }), ..finding }
    }
}

fn titled<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|finding| TitledFinding {
        fix: finding.fix.as_ref().map(|fix| fix.title.clone()),
        finding: Finding { fix: None, ..finding.clone() },
    }))
}
