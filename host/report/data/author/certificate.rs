//! `host guard certify`: whether a guard keeps the contract on generated and perturbed changes.

use guardhost_core::limits::Limits;

/// What `host guard certify` found.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The guard's id.
    pub id: String,
    pub version: String,
    pub promise: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Tools that built the component, as it names them.
    pub toolchain: Vec<String>,
    pub limits: Limits,
    /// The seed of the perturbations.
    pub seed: u64,
    /// Number of changes and plans that were judged.
    pub shown: usize,
    /// How many of them reached the guard's code.
    pub called: usize,
    /// Number of passes, rejections, not applicable and errors.
    pub verdicts: [usize; 4],
    /// Maximum fuel of one call.
    pub fuel: u64,
    /// Maximum memory of one call, in bytes.
    pub memory: u64,
    /// Maximum wall time of one call.
    pub micros: u64,
    /// Worst first.
    pub looks: Vec<CertificateCheck>,
    /// The steepest of each shape of input.
    pub growth: Vec<Growth>,
}

impl Certificate {
    /// No check failed.
    pub fn is_granted(&self) -> bool {
        self.looks.iter().all(|look| match look.outcome {
            CheckOutcome::Pass | CheckOutcome::Warn => true,
            CheckOutcome::Fail => false,
        })
    }
}

/// One property that was checked.
#[derive(Debug, Clone)]
pub struct CertificateCheck {
    /// Stable, kebab-case.
    pub name: &'static str,
    pub outcome: CheckOutcome,
    /// What was found, in one sentence.
    pub detail: String,
    /// At most five places where it was found.
    pub examples: Vec<String>,
}

/// Worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckOutcome {
    Pass,
    /// Worth knowing; the contract is kept.
    Warn,
    Fail,
}

impl CheckOutcome {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            CheckOutcome::Pass => "pass",
            CheckOutcome::Warn => "warn",
            CheckOutcome::Fail => "fail",
        }
    }
}

/// Fuel at growing sizes of one input.
#[derive(Debug, Clone)]
pub struct Growth {
    /// What the input looks like, in words.
    pub shape: String,
    /// The touched file.
    pub path: String,
    /// Smallest first.
    pub points: Vec<Point>,
    /// Fuel grows as size to this power; None when the calls burn too little fuel to say.
    pub exponent: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Size of the touched file.
    pub bytes: u64,
    pub fuel: u64,
}
