//! What became of an author's guard.

use std::path::PathBuf;

use crate::{BenchResult, CaseResults, Certificate, NewGuard, RangeVerdicts};

pub enum AuthorReport {
    NewGuard(NewGuard),
    Built(BuiltReport),
    CaseResults(CaseResults),
    Range(RangeReport),
    BenchResult(BenchResult),
    Certificate(Certificate),
}

/// `host guard build`.
#[derive(Debug, Clone)]
pub struct BuiltReport {
    pub id: String,
    pub version: String,
    pub component: PathBuf,
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Wall time of the tool.
    pub micros: u64,
}

/// `host guard run`.
#[derive(Debug, Clone)]
pub struct RangeReport {
    pub id: String,
    pub past: RangeVerdicts,
}
