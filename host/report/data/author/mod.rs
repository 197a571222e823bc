//! `host guard new`, `build`, `test`, `run`, `bench` and `certify`: a file for each, for authors of guards.

mod bench;
mod build;
mod certificate;
mod new;
mod range;
mod test;

use schemars::JsonSchema;
use serde::Serialize;

pub use bench::{BenchFigures, BenchResult, CaseFigures};
pub use build::BuiltReport;
pub use certificate::{Certificate, CertificateCheck, CheckOutcome, FuelPoint, Growth};
pub use new::NewGuard;
pub use range::{JudgedChange, RangeReport, RangeVerdicts};
pub use test::{CaseResult, CaseResults};

/// What a command for authors of guards reports.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "author")]
pub enum AuthorReport {
    /// `host guard new`
    NewGuard(NewGuard),
    /// `host guard build`
    Built(BuiltReport),
    /// `host guard test`
    CaseResults(CaseResults),
    /// `host guard run`
    Range(RangeReport),
    /// `host guard bench`
    BenchResult(BenchResult),
    /// `host guard certify`
    Certificate(Certificate),
}
