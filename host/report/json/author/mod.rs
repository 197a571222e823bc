//! The JSON of reports for authors of guards, one file a command.

mod bench;
mod build;
mod certificate;
mod new;
mod range;
mod test;

use serde_json::Value;

use crate::AuthorReport;

pub fn author(report: &AuthorReport) -> Value {
    match report {
        AuthorReport::NewGuard(new) => new::new_guard(new),
        AuthorReport::Built(built) => build::built(built),
        AuthorReport::CaseResults(results) => test::case_results(results),
        AuthorReport::Range(report) => range::range(report),
        AuthorReport::BenchResult(result) => bench::bench_result(result),
        AuthorReport::Certificate(certificate) => certificate::certificate(certificate),
    }
}
