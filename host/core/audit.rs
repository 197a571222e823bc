//! What a tree scores, metric by metric.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{Oid, RepoPath};
use crate::serialized_names;

/// The scores of one tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    pub tree: Oid,
    /// In the order of the analyzers, and of the metrics of each.
    pub metrics: Vec<Metric>,
}

/// One metric of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Lower-case words joined by `_`.
    pub id: String,
    /// In thousandths.
    pub weight: u32,
    /// The analyzer's id.
    pub analyzer: String,
    pub measurement: Measurement,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Measurement {
    Measured(Vec<Point>),
    /// Why nothing can be said of the tree.
    NotMeasured(String),
    /// The analyzer failed, which says nothing about the tree. `code` as in a guard's error.
    Failed {
        code: &'static str,
        message: String,
    },
}

/// A part of a score, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Kebab-case; one of the analyzer's rules.
    pub rule: String,
    /// Thousandths of the whole score; at most `possible`.
    pub earned: u32,
    pub possible: u32,
    pub path: Option<RepoPath>,
    /// From 1.
    pub line: Option<u32>,
    /// What earned it, or why it was not; may be empty.
    pub message: String,
    /// What would earn the rest; may be empty.
    pub help: String,
}

/// A whole score, in thousandths.
pub const WHOLE: u32 = 1000;

/// From these scores on. As in the pipeline that the metrics come from.
const PASS: u32 = 750;
const WARN: u32 = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "metricStatus")]
pub enum ScoreStatus {
    Pass,
    Warn,
    Fail,
    NotMeasured,
}

serialized_names!(ScoreStatus);

impl Metric {
    /// In thousandths, 0 to [`WHOLE`]. None when it was not measured.
    pub fn score(&self) -> Option<u32> {
        match &self.measurement {
            Measurement::Measured(points) => {
                Some(points.iter().fold(0u32, |sum, point| sum.saturating_add(point.earned)).min(WHOLE))
            }
            Measurement::NotMeasured(_) | Measurement::Failed { .. } => None,
        }
    }

    pub fn status(&self) -> ScoreStatus {
        match self.score() {
            None => ScoreStatus::NotMeasured,
            Some(PASS..) => ScoreStatus::Pass,
            Some(WARN..) => ScoreStatus::Warn,
            Some(_) => ScoreStatus::Fail,
        }
    }
}

impl Audit {
    /// The mean of what was measured, by weight, in thousandths. None when nothing was.
    pub fn overall(&self) -> Option<u32> {
        let measured = self.metrics.iter().filter_map(|metric| Some((metric.score()?, metric.weight)));
        let (sum, weights) = measured.fold((0u64, 0u64), |(sum, weights), (score, weight)| {
            (sum + u64::from(score) * u64::from(weight), weights + u64::from(weight))
        });
        (weights > 0).then(|| u32::try_from((sum + weights / 2) / weights).unwrap_or(WHOLE))
    }

    pub fn metric(&self, id: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(weight: u32, measurement: Measurement) -> Metric {
        Metric { id: "m".into(), weight, analyzer: "a".into(), measurement }
    }

    fn scored(weight: u32, earned: &[u32]) -> Metric {
        let point = |earned: &u32| Point {
            rule: "r".into(),
            earned: *earned,
            possible: 1000,
            path: None,
            line: None,
            message: String::new(),
            help: String::new(),
        };
        metric(weight, Measurement::Measured(earned.iter().map(point).collect()))
    }

    #[test]
    fn a_score_is_the_sum_of_its_points_and_status_follows() {
        for (earned, score, status) in [
            (&[][..], 0, ScoreStatus::Fail),
            (&[399], 399, ScoreStatus::Fail),
            (&[100, 300], 400, ScoreStatus::Warn),
            (&[749], 749, ScoreStatus::Warn),
            (&[750], 750, ScoreStatus::Pass),
            (&[900, 900], 1000, ScoreStatus::Pass),
        ] {
            let metric = scored(1000, earned);
            assert_eq!((metric.score(), metric.status()), (Some(score), status), "{earned:?}");
        }
    }

    #[test]
    fn what_was_not_measured_has_no_weight() {
        let failed = Measurement::Failed { code: "trap", message: "it trapped".into() };
        let not = || metric(5000, Measurement::NotMeasured("no tool".into()));
        let audit = |metrics| Audit { tree: Oid::ZERO_SHA1, metrics };
        assert_eq!(not().status(), ScoreStatus::NotMeasured);
        assert_eq!(audit(vec![scored(1000, &[500]), scored(3000, &[900]), not()]).overall(), Some(800));
        assert_eq!(audit(vec![not(), metric(1000, failed)]).overall(), None);
    }
}
