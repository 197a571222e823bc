//! `host guard test`: a guard's verdicts on its own test cases, compared with the expected ones.

use guardhost_core::written_as;
use schemars::JsonSchema;
use serde::Serialize;

use crate::VerdictKind;

#[derive(Debug, Clone)]
pub struct CaseResults {
    /// The guard's id.
    pub id: String,
    pub version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub cases: Vec<CaseResult>,
}

#[derive(Debug, Clone)]
pub struct CaseResult {
    pub name: String,
    pub verdict: VerdictKind,
    /// Differences from the expectation; empty when the case passes.
    pub wrong: Vec<String>,
    /// The expectation was rewritten.
    pub updated: bool,
    /// How it differed from the verdict before; empty when it was new, could not be read, or said the same in another form.
    pub changes: Vec<String>,
    pub micros: u64,
    pub fuel: u64,
}

impl CaseResult {
    fn is_ok(&self) -> bool {
        self.wrong.is_empty()
    }
}

impl CaseResults {
    /// Number of cases with differences.
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.is_ok()).count()
    }

    fn is_ok(&self) -> bool {
        self.failed() == 0
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "CaseResults")]
#[schemars(rename = "caseResults")]
struct CaseResultsKeys {
    id: String,
    version: String,
    /// `sha256:…` of the component.
    digest: String,
    #[serde(getter = "CaseResults::is_ok")]
    ok: bool,
    #[serde(getter = "CaseResults::failed")]
    failed: usize,
    cases: Vec<CaseResult>,
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "CaseResult")]
#[schemars(rename = "caseResult")]
struct CaseResultKeys {
    name: String,
    #[serde(getter = "CaseResult::is_ok")]
    ok: bool,
    verdict: VerdictKind,
    /// Against the expectation.
    wrong: Vec<String>,
    /// `--update` rewrote the expectation.
    updated: bool,
    /// Against the expectation.
    changes: Vec<String>,
    micros: u64,
    fuel: u64,
}

written_as!(CaseResults, CaseResultsKeys);
written_as!(CaseResult, CaseResultKeys);
