//! Results of what the author of a guard does: made, tested, measured, certified.

use std::path::PathBuf;

use guardhost_core::change::{Evidence, GuardVerdict, Oid};
use guardhost_core::limits::Limits;

/// A folder that was made.
#[derive(Debug, Clone)]
pub struct NewGuard {
    pub name: String,
    pub language: String,
    pub folder: PathBuf,
    /// From that folder, sorted.
    pub files: Vec<String>,
}

/// What came of the cases.
#[derive(Debug, Clone)]
pub struct CaseResults {
    pub id: String,
    pub version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub cases: Vec<CaseResult>,
}

#[derive(Debug, Clone)]
pub struct CaseResult {
    pub name: String,
    /// The guard's word.
    pub verdict: &'static str,
    /// What is not as expected; empty when all is.
    pub wrong: Vec<String>,
    /// The expectation was written anew.
    pub updated: bool,
    pub micros: u64,
    pub fuel: u64,
}

impl CaseResults {
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.wrong.is_empty()).count()
    }
}

/// What one guard says of a range.
#[derive(Debug, Clone)]
pub struct RangeVerdicts {
    pub range: String,
    /// Oldest first.
    pub changes: Vec<JudgedChange>,
}

#[derive(Debug, Clone)]
pub struct JudgedChange {
    /// The commit that brought the change; None for a range as one.
    pub commit: Option<Oid>,
    /// First line of its message.
    pub subject: String,
    pub evidence: Evidence,
}

impl RangeVerdicts {
    /// How many changes it gave this word for.
    pub fn count(&self, word: &str) -> usize {
        self.changes.iter().filter(|change| change.evidence.verdict.word() == word).count()
    }

    pub fn broke(&self) -> bool {
        self.changes.iter().any(|change| matches!(change.evidence.verdict, GuardVerdict::Error { .. }))
    }
}

/// One guard's figures, and an older one's.
#[derive(Debug, Clone)]
pub struct BenchResult {
    pub id: String,
    pub now: GuardFigures,
    /// What it is compared with.
    pub before: Option<GuardFigures>,
}

#[derive(Debug, Clone)]
pub struct GuardFigures {
    pub version: String,
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    /// In the order of the cases.
    pub cases: Vec<CaseFigures>,
}

#[derive(Debug, Clone)]
pub struct CaseFigures {
    pub name: String,
    pub verdict: &'static str,
    /// Deterministic.
    pub fuel: u64,
    /// Median wall time of instantiation and call, warm.
    pub micros: u64,
    /// Bytes of linear memory.
    pub memory: u64,
}

impl GuardFigures {
    pub fn fuel(&self) -> u64 {
        self.cases.iter().map(|case| case.fuel).sum()
    }

    pub fn micros(&self) -> u64 {
        self.cases.iter().map(|case| case.micros).sum()
    }

    /// Of the case that takes most.
    pub fn memory(&self) -> u64 {
        self.cases.iter().map(|case| case.memory).max().unwrap_or(0)
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Certificate {
    pub id: String,
    pub version: String,
    pub promise: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Tools that made it, by their own word.
    pub toolchain: Vec<String>,
    pub limits: Limits,
    pub seed: u64,
    /// Changes and plans that it was shown, and those of them that it was called for.
    pub shown: usize,
    pub called: usize,
    /// How often it passed, rejected, did not apply, broke.
    pub verdicts: [usize; 4],
    /// The most that one call took.
    pub fuel: u64,
    pub memory: u64,
    pub micros: u64,
    pub looks: Vec<CertificateCheck>,
    /// The steepest of each shape of input.
    pub growth: Vec<Growth>,
}

impl Certificate {
    /// Nothing that was looked at failed.
    pub fn is_granted(&self) -> bool {
        self.looks.iter().all(|look| look.outcome != CheckOutcome::Fail)
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone)]
pub struct CertificateCheck {
    /// Stable, kebab-case.
    pub name: &'static str,
    pub outcome: CheckOutcome,
    /// What was found, in a sentence.
    pub detail: String,
    /// Where, at most five.
    pub examples: Vec<String>,
}

/// Worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckOutcome {
    Pass,
    /// Worth knowing; no lie.
    Warn,
    Fail,
}

/// Fuel at growing sizes, for one shape of input in one file.
#[derive(Debug, Clone)]
pub struct Growth {
    /// What the input looks like.
    pub shape: String,
    pub path: String,
    /// Smallest first.
    pub points: Vec<Point>,
    /// Fuel grows as the size to this power; None when the call does too little to tell.
    pub exponent: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Of the touched file, in bytes.
    pub bytes: u64,
    pub fuel: u64,
}
