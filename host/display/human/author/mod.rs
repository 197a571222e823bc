//! Pages for authors of guards, one file a command.

mod bench;
mod build;
mod certificate;
mod new;
mod range;
mod test;

use super::writer::PageWriter;
use guardhost_report::AuthorReport;

pub fn author(page: &mut PageWriter, report: &AuthorReport) {
    match report {
        AuthorReport::NewGuard(new) => new::new_guard(page, new),
        AuthorReport::Built(built) => build::built(page, built),
        AuthorReport::CaseResults(results) => test::case_results(page, results),
        AuthorReport::Range(report) => range::range(page, report),
        AuthorReport::BenchResult(result) => bench::bench_result(page, result),
        AuthorReport::Certificate(certificate) => certificate::certificate(page, certificate),
    }
}
