//! `host guard new`, `build`, `test`, `run`, `bench` and `certify`: a file for each, for authors of guards.

mod bench;
mod build;
mod certificate;
mod new;
mod range;
mod test;

pub use bench::{BenchResult, CaseFigures, GuardFigures};
pub use build::BuiltReport;
pub use certificate::{Certificate, CertificateCheck, CheckOutcome, Growth, Point};
pub use new::NewGuard;
pub use range::{JudgedChange, RangeReport, RangeVerdicts};
pub use test::{CaseResult, CaseResults};

pub enum AuthorReport {
    NewGuard(NewGuard),
    Built(BuiltReport),
    CaseResults(CaseResults),
    Range(RangeReport),
    BenchResult(BenchResult),
    Certificate(Certificate),
}
