//! What `host improve` measured before its first step and behind its last, or what `host audit` measured.

use serde::Deserialize;

use crate::{Bundle, RunData};

#[derive(Debug, Clone)]
pub struct AuditPair {
    /// From 0 to 1.
    pub before: Option<f64>,
    pub after: Option<f64>,
    /// There was a second audit.
    pub is_pair: bool,
    pub metrics: Vec<MetricPair>,
}

#[derive(Debug, Clone)]
pub struct MetricPair {
    pub id: String,
    pub before: Option<f64>,
    pub after: Option<f64>,
    /// Why the latest audit has no score.
    pub reason: Option<String>,
    /// What the latest audit says would earn more.
    pub points: Vec<PointView>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PointView {
    pub rule: String,
    pub earned: f64,
    pub of: f64,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub line: Option<u32>,
    #[serde(default)]
    pub message: Option<String>,
    #[serde(default)]
    pub help: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct AuditView {
    overall: Option<f64>,
    metrics: Vec<MetricView>,
}

#[derive(Debug, Clone, Deserialize)]
struct MetricView {
    id: String,
    score: Option<f64>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    points: Vec<PointView>,
}

/// None for a run without an audit.
pub fn pair(bundle: &Bundle, data: &RunData) -> Option<AuditPair> {
    let read = |name: &str| {
        let text = bundle.texts.get(&data.files.get(name)?.key)?;
        serde_json::from_str::<AuditView>(&text.text).ok()
    };
    let (before, after) = (read("0/audit.json"), read("0/audit-after.json"));
    let latest = after.as_ref().or(before.as_ref())?.clone();
    let score = |audit: Option<&AuditView>, id: &str| audit?.metrics.iter().find(|metric| metric.id == id)?.score;
    let metric = |metric: MetricView| MetricPair {
        before: score(before.as_ref(), &metric.id),
        after: score(after.as_ref(), &metric.id),
        points: metric.points.into_iter().filter(|point| point.earned < point.of).collect(),
        id: metric.id,
        reason: metric.reason,
    };
    Some(AuditPair {
        before: before.as_ref().and_then(|audit| audit.overall),
        after: after.as_ref().and_then(|audit| audit.overall),
        is_pair: after.is_some(),
        metrics: latest.metrics.into_iter().map(metric).collect(),
    })
}
