//! The points that an audit did not give, each an issue.

use guardhost_core::error::Result;

use crate::fix::issue::{Detector, Issue, TEXT, TITLE, fingerprint, line, repo_path};
use crate::plan::context::{AuditFile, AuditPoint};

/// Of metrics that do not pass.
pub fn issues(bytes: &[u8], origin: &str) -> Result<Vec<Issue>> {
    let audit = AuditFile::parse(bytes, origin)?;
    let wanting = audit.metrics.iter().filter(|metric| metric.status == "fail" || metric.status == "warn");
    let points = wanting.flat_map(|metric| metric.points.iter().map(move |point| (metric.id.as_str(), point)));
    Ok(points.filter(|(_, point)| point.earned < point.of).map(|(metric, point)| issue(metric, point)).collect())
}

fn issue(metric: &str, point: &AuditPoint) -> Issue {
    let message = point.message.as_deref().unwrap_or_default();
    let path = point.path.as_deref().and_then(repo_path);
    let place = path.as_ref().map(ToString::to_string).unwrap_or_default();
    let title = match message.trim().is_empty() {
        true => format!("{metric}: {}", point.rule),
        false => line(message, TITLE),
    };
    Issue {
        fingerprint: fingerprint(&["audit", metric, &point.rule, &place, message]),
        title,
        text: point.help.as_deref().unwrap_or_default().chars().take(TEXT).collect(),
        rule: point.rule.clone(),
        path,
        line: point.line,
        detector: Detector::Metric(metric.to_owned()),
        ..Issue::default()
    }
}
