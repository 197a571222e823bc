//! What became of an author's guard: a case of the guard's, a commit, a thing that was looked at.

use std::borrow::Cow;

use super::case::{Case, Outcome, of_evidence};
use guardhost_core::change::{Finding, Severity};
use guardhost_report::AuthorReport;
use guardhost_report::{CaseResult, CaseResults, CertificateCheck, CheckOutcome};

pub fn author(report: &AuthorReport) -> Vec<Case<'_>> {
    match report {
        AuthorReport::CaseResults(tested) => tested.cases.iter().map(|case| of_case(tested, case)).collect(),
        AuthorReport::Range(report) => report.past.changes.iter().map(|change| of_evidence(&change.evidence)).collect(),
        AuthorReport::Certificate(certificate) => certificate.looks.iter().map(of_look).collect(),
        AuthorReport::NewGuard(_) | AuthorReport::Built(_) | AuthorReport::BenchResult(_) => Vec::new(),
    }
}

fn of_case<'a>(tested: &'a CaseResults, case: &'a CaseResult) -> Case<'a> {
    let findings: Vec<Finding> = case.wrong.iter().map(|wrong| said("expectation", Severity::Error, wrong)).collect();
    let outcome = if findings.is_empty() { Outcome::Pass } else { Outcome::Fail };
    Case {
        version: &tested.version,
        digest: &tested.digest,
        findings: Cow::Owned(findings),
        micros: case.micros,
        ..Case::new(&case.name, outcome)
    }
}

fn of_look(look: &CertificateCheck) -> Case<'_> {
    let (outcome, severity) = match look.outcome {
        CheckOutcome::Pass => return Case::new(look.name, Outcome::Pass),
        CheckOutcome::Warn => (Outcome::Pass, Severity::Warning),
        CheckOutcome::Fail => (Outcome::Fail, Severity::Error),
    };
    let text = std::iter::once(&look.detail).chain(&look.examples).cloned().collect::<Vec<_>>().join("\n");
    Case { findings: Cow::Owned(vec![said(look.name, severity, &text)]), ..Case::new(look.name, outcome) }
}

fn said(rule: &str, severity: Severity, message: &str) -> Finding {
    Finding {
        rule: rule.to_owned(),
        severity,
        path: None,
        line: None,
        end_line: None,
        message: message.to_owned(),
        help: None,
        fix: None,
    }
}
