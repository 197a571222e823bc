//! `host audit`: what a tree scores.

use schemars::JsonSchema;
use serde::Serialize;

use guardhost_core::audit::{Audit, Measurement, Metric, Point, ScoreStatus, WHOLE};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::written::Hex;
use guardhost_core::written_from;

/// What a tree scores.
#[derive(Debug, Clone)]
pub struct AuditReport {
    pub audit: Audit,
    /// The revision as the user named it.
    pub revision: String,
    /// Microseconds.
    pub micros: u64,
    /// Remarks, one sentence each.
    pub notices: Vec<String>,
}

impl AuditReport {
    /// An analyzer failed, so that a part of the tree is not known.
    pub fn has_failure(&self) -> bool {
        self.audit.metrics.iter().any(|metric| matches!(metric.measurement, Measurement::Failed { .. }))
    }
}

/// Scores are from 0 to 1.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "audit")]
struct AuditKeys<'a> {
    #[serde(with = "Hex")]
    tree: Oid,
    /// As given.
    revision: &'a str,
    /// The weighted mean of what was measured.
    overall: Option<f64>,
    metrics: Vec<MetricKeys<'a>>,
    micros: u64,
    notices: &'a [String],
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "metric")]
struct MetricKeys<'a> {
    id: &'a str,
    /// `null` when not measured.
    score: Option<f64>,
    status: ScoreStatus,
    reason: Option<&'a str>,
    /// The code of the analyzer's failure.
    error: Option<&'a str>,
    weight: f64,
    analyzer: &'a str,
    points: Vec<PointKeys<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "point")]
struct PointKeys<'a> {
    rule: &'a str,
    earned: f64,
    of: f64,
    path: Option<&'a RepoPath>,
    line: Option<u32>,
    message: Option<&'a str>,
    /// What would earn the rest.
    help: Option<&'a str>,
}

impl<'a> From<&'a AuditReport> for AuditKeys<'a> {
    fn from(report: &'a AuditReport) -> Self {
        AuditKeys {
            tree: report.audit.tree,
            revision: &report.revision,
            overall: report.audit.overall().map(fraction),
            metrics: report.audit.metrics.iter().map(MetricKeys::from).collect(),
            micros: report.micros,
            notices: &report.notices,
        }
    }
}

impl<'a> From<&'a Metric> for MetricKeys<'a> {
    fn from(metric: &'a Metric) -> Self {
        let (reason, error, points) = match &metric.measurement {
            Measurement::Measured(points) => (None, None, points.as_slice()),
            Measurement::NotMeasured(why) => (Some(why.as_str()), None, &[][..]),
            Measurement::Failed { code, message } => (Some(message.as_str()), Some(*code), &[][..]),
        };
        MetricKeys {
            id: &metric.id,
            score: metric.score().map(fraction),
            status: metric.status(),
            reason,
            error,
            weight: fraction(metric.weight),
            analyzer: &metric.analyzer,
            points: points.iter().map(PointKeys::from).collect(),
        }
    }
}

impl<'a> From<&'a Point> for PointKeys<'a> {
    fn from(point: &'a Point) -> Self {
        let text = |text: &'a str| (!text.is_empty()).then_some(text);
        PointKeys {
            rule: &point.rule,
            earned: fraction(point.earned),
            of: fraction(point.possible),
            path: point.path.as_ref(),
            line: point.line,
            message: text(&point.message),
            help: text(&point.help),
        }
    }
}

written_from!(AuditReport, AuditKeys<'_>);

/// From thousandths.
pub(super) fn fraction(thousandths: u32) -> f64 {
    f64::from(thousandths) / f64::from(WHOLE)
}
