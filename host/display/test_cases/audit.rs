//! Each metric as a test case: it fails where its status does, and what would earn more is a finding.

use std::borrow::Cow;

use guardhost_core::audit::{Measurement, Metric, ScoreStatus};
use guardhost_core::change::{Finding, Severity};
use guardhost_report::AuditReport;

use super::test_case::finding;
use super::{CaseOutcome, TestCase};

pub fn audit(report: &AuditReport) -> Vec<TestCase<'_>> {
    report.audit.metrics.iter().map(case).collect()
}

fn case(metric: &Metric) -> TestCase<'_> {
    let (outcome, reason) = match (&metric.measurement, metric.status()) {
        (Measurement::Failed { message, .. }, _) => (CaseOutcome::Error, Some(Cow::Borrowed(message.as_str()))),
        (Measurement::NotMeasured(why), _) => (CaseOutcome::Skipped, Some(Cow::Borrowed(why.as_str()))),
        (Measurement::Measured(_), ScoreStatus::Fail) => (CaseOutcome::Fail, None),
        (Measurement::Measured(_), ScoreStatus::Pass | ScoreStatus::Warn | ScoreStatus::NotMeasured) => {
            (CaseOutcome::Pass, None)
        }
    };
    let severity = match metric.status() {
        ScoreStatus::Fail => Severity::Error,
        ScoreStatus::Warn => Severity::Warning,
        ScoreStatus::Pass | ScoreStatus::NotMeasured => Severity::Info,
    };
    let points = match &metric.measurement {
        Measurement::Measured(points) => points.as_slice(),
        Measurement::NotMeasured(_) | Measurement::Failed { .. } => &[],
    };
    let open = points.iter().filter(|point| point.earned < point.possible || point.possible == 0);
    let findings: Vec<Finding> = open
        .map(|point| Finding {
            path: point.path.as_ref().map(ToString::to_string),
            line: point.line,
            help: (!point.help.is_empty()).then(|| point.help.clone()),
            ..finding(&point.rule, severity, &point.message)
        })
        .collect();
    TestCase { reason, findings: Cow::Owned(findings), ..TestCase::new(&metric.id, outcome) }
}
