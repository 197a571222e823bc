//! The tree, the overall score, then each metric with its points. Scores are numbers from 0 to 1.

use guardhost_core::audit::{Measurement, Metric, Point, WHOLE};
use serde_json::{Value, json};

use crate::AuditReport;

pub fn audit(report: &AuditReport) -> Value {
    json!({
        "tree": report.audit.tree.to_string(),
        "revision": report.revision,
        "overall": report.audit.overall().map(fraction),
        "metrics": report.audit.metrics.iter().map(metric).collect::<Vec<_>>(),
        "micros": report.micros,
        "notices": report.notices,
    })
}

pub fn metric(metric: &Metric) -> Value {
    let (reason, error, points) = match &metric.measurement {
        Measurement::Measured(points) => (None, None, points.as_slice()),
        Measurement::NotMeasured(why) => (Some(why.as_str()), None, &[][..]),
        Measurement::Failed { code, message } => (Some(message.as_str()), Some(*code), &[][..]),
    };
    json!({
        "id": metric.id,
        "score": metric.score().map(fraction),
        "status": metric.status().word(),
        "reason": reason,
        "error": error,
        "weight": fraction(metric.weight),
        "analyzer": metric.analyzer,
        "points": points.iter().map(point).collect::<Vec<_>>(),
    })
}

fn point(point: &Point) -> Value {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    json!({
        "rule": point.rule,
        "earned": fraction(point.earned),
        "of": fraction(point.possible),
        "path": point.path.as_ref().map(ToString::to_string),
        "line": point.line,
        "message": text(&point.message),
        "help": text(&point.help),
    })
}

/// From thousandths.
fn fraction(thousandths: u32) -> f64 {
    f64::from(thousandths) / f64::from(WHOLE)
}
