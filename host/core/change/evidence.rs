//! One guard's run on a candidate, with what it said.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Basis, Finding, GuardVerdict, Mode, VerdictKind};
use crate::written_as;

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

#[derive(Serialize, JsonSchema)]
#[serde(remote = "Evidence")]
#[schemars(rename = "evidence")]
struct EvidenceKeys {
    /// `host:…` for a rule of the host.
    id: String,
    /// Its mark, such as `G13`, or empty.
    #[serde(rename = "g")]
    mark: String,
    version: String,
    /// `sha256:…` of the component.
    digest: String,
    #[serde(getter = "Evidence::verdict_kind")]
    verdict: VerdictKind,
    /// Why `not-applicable` or `error`.
    #[serde(getter = "Evidence::reason")]
    reason: Option<String>,
    micros: u64,
    /// Instructions, roughly; deterministic.
    fuel: u64,
    /// It was not compiled now.
    cached: bool,
    #[serde(getter = "Evidence::findings")]
    findings: Vec<Finding>,
    mode: Mode,
    /// The [kind of failure](#codes-of-guards), if `verdict` is `error`.
    #[serde(getter = "Evidence::code")]
    code: Option<String>,
    /// Numbers, by name.
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    metrics: BTreeMap<String, f64>,
    /// Never sent to a provider.
    log: Vec<LogLine>,
    /// [Findings that do not count](exceptions.md).
    allowed: Vec<AllowedFinding>,
    /// [Language components](languages.md): digests by name.
    #[serde(getter = "Evidence::languages", skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(default)]
    languages: BTreeMap<String, String>,
    /// Not called now: its verdict on [exactly the same](pinning.md#stored-verdicts).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
}

written_as!(Evidence, EvidenceKeys);

/// The keys that follow from the verdict.
impl Evidence {
    fn verdict_kind(&self) -> VerdictKind {
        self.verdict.kind()
    }

    fn reason(&self) -> Option<String> {
        self.verdict.reason().map(str::to_owned)
    }

    fn findings(&self) -> Vec<Finding> {
        self.verdict.findings().to_vec()
    }

    fn languages(&self) -> BTreeMap<String, String> {
        self.basis.languages.clone()
    }

    fn code(&self) -> Option<String> {
        self.verdict.code().map(str::to_owned)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "allowedFinding")]
pub struct AllowedFinding {
    pub finding: Finding,
    pub by: Allowance,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(rename = "allowance")]
pub enum Allowance {
    /// Line from 1.
    Comment { line: u32, reason: String },
    /// By `--baseline`.
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

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "logLine")]
pub struct LogLine {
    /// `debug`, `info`, `warn`, or `stderr`.
    pub level: &'static str,
    pub text: String,
}
