//! Test cases from the reports for guard authors: a guard's own case, a commit, a check of the certificate.

use std::borrow::Cow;

use super::test_case::{CaseOutcome, TestCase, finding, from_evidence};
use guardhost_core::change::{Finding, Severity};
use guardhost_report::{AuthorReport, CaseResult, CaseResults, CertificateCheck, CheckOutcome};

pub fn author(report: &AuthorReport) -> Vec<TestCase<'_>> {
    match report {
        AuthorReport::CaseResults(results) => results.cases.iter().map(|case| from_case(results, case)).collect(),
        AuthorReport::Range(report) => {
            report.past.changes.iter().map(|change| from_evidence(&change.evidence)).collect()
        }
        AuthorReport::Certificate(certificate) => certificate.looks.iter().map(from_check).collect(),
        AuthorReport::NewGuard(_) | AuthorReport::Built(_) | AuthorReport::BenchResult(_) => Vec::new(),
    }
}

fn from_case<'a>(results: &'a CaseResults, case: &'a CaseResult) -> TestCase<'a> {
    let findings: Vec<Finding> =
        case.wrong.iter().map(|wrong| finding("expectation", Severity::Error, wrong)).collect();
    let outcome = if findings.is_empty() { CaseOutcome::Pass } else { CaseOutcome::Fail };
    TestCase {
        version: &results.version,
        digest: &results.digest,
        findings: Cow::Owned(findings),
        micros: case.micros,
        ..TestCase::new(&case.name, outcome)
    }
}

fn from_check(check: &CertificateCheck) -> TestCase<'_> {
    let (outcome, severity) = match check.outcome {
        CheckOutcome::Pass => return TestCase::new(check.name, CaseOutcome::Pass),
        CheckOutcome::Warn => (CaseOutcome::Pass, Severity::Warning),
        CheckOutcome::Fail => (CaseOutcome::Fail, Severity::Error),
    };
    let text = std::iter::once(&check.detail).chain(&check.examples).cloned().collect::<Vec<_>>().join("\n");
    TestCase { findings: Cow::Owned(vec![finding(check.name, severity, &text)]), ..TestCase::new(check.name, outcome) }
}
