//! The verdicts of the guards, and of the host's own rules, on a candidate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Basis, Inapplicable, Quotes};

/// The evidence of every guard in the order of the guard set, and then of the host's own rules that reject.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    pub evidence: Vec<Evidence>,
}

/// The verdict of the whole guard set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every enforced guard passed or was not applicable.
    Pass,
    /// An enforced guard rejected.
    Reject,
    /// No enforced guard rejected, but at least one failed. A failure blocks the change as well.
    Error,
}

impl Judgement {
    pub fn verdict(&self) -> Verdict {
        let enforced = || self.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_))) {
            Verdict::Reject
        } else if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
            Verdict::Error
        } else {
            Verdict::Pass
        }
    }

    /// As a model may read it: `quotes` are of the same change.
    pub fn for_model(&self, quotes: &Quotes) -> Judgement {
        let mut shown = self.clone();
        for finding in shown.evidence.iter_mut().flat_map(|evidence| evidence.verdict.findings_mut()) {
            if let Some(why) = quotes.withheld(finding) {
                finding.message = format!("what it says is not shown: {why}");
                (finding.help, finding.fix, finding.related) = (None, None, Vec::new());
            }
        }
        shown
    }

    /// No enforced guard rejected or failed.
    pub fn is_accepted(&self) -> bool {
        match self.verdict() {
            Verdict::Pass => true,
            Verdict::Reject | Verdict::Error => false,
        }
    }

    /// No enforced guard passed, rejected or failed: nothing judged the change. What the host's own rules say does not count.
    pub fn is_unjudged(&self) -> bool {
        let judged = |evidence: &Evidence| match (evidence.source, evidence.mode, &evidence.verdict) {
            (EvidenceSource::Host, ..) | (_, Mode::Monitor, _) | (.., GuardVerdict::NotApplicable(_)) => false,
            (
                EvidenceSource::Guard,
                Mode::Enforce,
                GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::Error { .. },
            ) => true,
        };
        !self.evidence.iter().any(judged)
    }

    /// Ids of the enforced guards that rejected or failed, in the order of the set.
    pub fn against(&self) -> Vec<&str> {
        let no = |verdict: &GuardVerdict| matches!(verdict, GuardVerdict::Reject(_) | GuardVerdict::Error { .. });
        let enforced = self.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        enforced.filter(|evidence| no(&evidence.verdict)).map(|evidence| evidence.id.as_str()).collect()
    }
}

/// One guard's run, or what a rule of the host found.
#[derive(Debug, Clone)]
pub struct Evidence {
    pub id: String,
    /// `G13`, or empty.
    pub mark: String,
    pub version: String,
    /// `sha256:…` of the component that ran.
    pub digest: String,
    pub mode: Mode,
    pub source: EvidenceSource,
    pub verdict: GuardVerdict,
    /// The trace event that the guard wants emitted when it rejects; empty if it names none.
    pub event: String,
    /// Wall time of load, instantiation and call.
    pub micros: u64,
    /// Consumed fuel in wasmtime's unit, about one per instruction.
    pub fuel: u64,
    /// The verdict is that of an earlier run, in which the guard saw exactly the same.
    pub reused: bool,
    /// The compiled code came from the cache or from the binary, not from a compiler.
    pub cached: bool,
    /// Numbers that the guard reported, such as a score.
    pub metrics: BTreeMap<String, f64>,
    pub log: Vec<LogLine>,
    /// Findings that do not count.
    pub allowed: Vec<AllowedFinding>,
    /// What the verdict rests on, beside the guard and the trees.
    pub basis: Basis,
}

/// A finding that does not count, because a person allowed it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AllowedFinding {
    pub finding: Finding,
    pub by: Allowance,
}

/// How a finding was allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Allowance {
    /// A comment in the finding's file. Line from 1.
    Comment { line: u32, reason: String },
    /// The file that `--baseline` names.
    Baseline,
}

/// Who gave a piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceSource {
    Guard,
    /// A [`super::HostRule`].
    Host,
}

/// Lines of a failed guard's log that explain the failure.
const LAST_LINES: usize = 10;

impl Evidence {
    /// The end of the log of a guard that failed, where languages write a panic; empty when it did not fail.
    pub fn last_words(&self) -> &[LogLine] {
        match self.verdict {
            GuardVerdict::Error { .. } => &self.log[self.log.len().saturating_sub(LAST_LINES)..],
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => &[],
        }
    }
}

/// Whether a guard can block a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    #[default]
    Enforce,
    /// The verdict is recorded and shown, and never blocks.
    Monitor,
}

/// The code of the error of a guard that could not look: a tool is missing or does not start, there is no sandbox, no model answered.
pub const COULD_NOT_LOOK: &str = "could-not-look";

#[derive(Debug, Clone, PartialEq)]
pub enum GuardVerdict {
    /// The findings are advice.
    Pass(Vec<Finding>),
    Reject(Vec<Finding>),
    NotApplicable(Inapplicable),
    /// The guard failed. `code` is stable, kebab-case: `out-of-fuel`, `out-of-memory`, `stack-overflow`, `trap`, `bad-output`,
    /// `load`, `ungranted-import`, `contract-version`, `guard-error`, `could-not-look`, `machine`, ….
    Error {
        code: &'static str,
        message: String,
        failed: Failed,
    },
}

/// What failed where a guard gave no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The guard could not be loaded: exit code 4.
    Load,
    /// The guard, while it ran: exit code 5.
    Run,
    /// Not the guard, but this machine: it has too little memory, address space, disk or threads, or cannot read the repository. Exit
    /// code 7.
    Machine,
    /// Not the guard either: a file that it read is not in this partial clone. Exit code 7.
    PartialClone,
}

impl GuardVerdict {
    /// The word in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            GuardVerdict::Pass(_) => "pass",
            GuardVerdict::Reject(_) => "reject",
            GuardVerdict::NotApplicable(_) => "not-applicable",
            GuardVerdict::Error { .. } => "error",
        }
    }

    /// Why the guard was not applicable, or how it failed.
    pub fn reason(&self) -> Option<&str> {
        match self {
            GuardVerdict::NotApplicable(why) => Some(why.reason()),
            GuardVerdict::Error { message, .. } => Some(message),
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) => None,
        }
    }

    /// The code of an error.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            GuardVerdict::Error { code, .. } => Some(code),
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => None,
        }
    }

    pub fn findings(&self) -> &[Finding] {
        match self {
            GuardVerdict::Pass(findings) | GuardVerdict::Reject(findings) => findings,
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => &[],
        }
    }

    fn findings_mut(&mut self) -> &mut [Finding] {
        match self {
            GuardVerdict::Pass(findings) | GuardVerdict::Reject(findings) => findings,
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => &mut [],
        }
    }
}

/// One problem. Its texts come from a guard, with control characters already escaped and lengths capped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub rule: String,
    pub severity: Severity,
    pub path: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// Inclusive.
    pub end_line: Option<u32>,
    /// First column of the first line, from 1, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Last column of the last line, inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    pub message: String,
    pub help: Option<String>,
    /// Where the guard documents the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_url: Option<String>,
    /// Other places that explain this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// A secret stands in its lines: no report shows them.
    #[serde(default, rename = "secret", skip_serializing_if = "is_false")]
    pub is_secret: bool,
}

impl Finding {
    /// About the whole change.
    pub fn new(rule: impl Into<String>, severity: Severity, message: impl Into<String>) -> Self {
        Finding {
            rule: rule.into(),
            severity,
            path: None,
            line: None,
            end_line: None,
            column: None,
            end_column: None,
            message: message.into(),
            help: None,
            help_url: None,
            related: Vec::new(),
            fix: None,
            is_secret: false,
        }
    }
}

/// A place in the candidate that explains a finding elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    pub path: String,
    /// From 1.
    pub line: u32,
    /// Inclusive.
    pub end_line: u32,
    pub message: String,
}

/// Most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Edit>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Replaces the bytes `start..end` of the candidate's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    pub path: String,
    pub start: u64,
    pub end: u64,
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub replacement: Vec<u8>,
}

fn as_text<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&String::from_utf8_lossy(bytes))
}

fn from_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(deserializer).map(String::into_bytes)
}

/// A line that the guard logged. It is shown to people and never sent to a provider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogLine {
    /// `debug`, `info`, `warn`, or `stderr`.
    pub level: &'static str,
    pub text: String,
}
