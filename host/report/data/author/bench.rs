//! `host guard bench`: what a guard costs on its own test cases.

use crate::VerdictKind;

#[derive(Debug, Clone)]
pub struct BenchResult {
    /// The guard's id.
    pub id: String,
    pub now: GuardFigures,
    /// The component to compare with, if one was given.
    pub before: Option<GuardFigures>,
}

/// The measurements of one component.
#[derive(Debug, Clone)]
pub struct GuardFigures {
    pub version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    /// In the order of the cases.
    pub cases: Vec<CaseFigures>,
}

#[derive(Debug, Clone)]
pub struct CaseFigures {
    pub name: String,
    pub verdict: VerdictKind,
    /// Deterministic.
    pub fuel: u64,
    /// Median wall time of instantiation and call, with the code loaded.
    pub micros: u64,
    /// Bytes of linear memory.
    pub memory: u64,
}

impl GuardFigures {
    /// Sum over all cases.
    pub fn fuel(&self) -> u64 {
        self.cases.iter().map(|case| case.fuel).sum()
    }

    /// Sum over all cases.
    pub fn micros(&self) -> u64 {
        self.cases.iter().map(|case| case.micros).sum()
    }

    /// Of the case that needs most.
    pub fn memory(&self) -> u64 {
        self.cases.iter().map(|case| case.memory).max().unwrap_or(0)
    }
}
