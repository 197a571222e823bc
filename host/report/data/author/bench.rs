//! `host guard bench`: what a guard costs on its own test cases.

use guardhost_core::written_as;
use schemars::JsonSchema;
use serde::Serialize;

use crate::VerdictKind;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "benchResult")]
pub struct BenchResult {
    pub id: String,
    pub now: BenchFigures,
    /// Of the component to compare with.
    pub before: Option<BenchFigures>,
}

/// The measurements of one component.
#[derive(Debug, Clone)]
pub struct BenchFigures {
    pub version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    /// In the order of the cases.
    pub cases: Vec<CaseFigures>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "caseFigures")]
pub struct CaseFigures {
    pub name: String,
    pub verdict: VerdictKind,
    pub fuel: u64,
    /// Median, with the code loaded.
    pub micros: u64,
    /// Bytes.
    pub memory: u64,
}

impl BenchFigures {
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

#[derive(Serialize, JsonSchema)]
#[serde(remote = "BenchFigures")]
#[schemars(rename = "figures")]
struct FiguresKeys {
    version: String,
    /// `sha256:…` of the component.
    digest: String,
    /// Bytes.
    size: u64,
    /// Of all cases.
    #[serde(getter = "BenchFigures::fuel")]
    fuel: u64,
    /// Of all cases.
    #[serde(getter = "BenchFigures::micros")]
    micros: u64,
    /// Bytes, of the largest case.
    #[serde(getter = "BenchFigures::memory")]
    memory: u64,
    cases: Vec<CaseFigures>,
}

written_as!(BenchFigures, FiguresKeys);
