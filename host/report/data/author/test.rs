//! `host guard test`: a guard's verdicts on its own test cases, compared with the expected ones.

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

impl CaseResults {
    /// Number of cases with differences.
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.wrong.is_empty()).count()
    }
}
