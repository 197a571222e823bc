//! What a plan is made from: the task, the scope, and what an audit found. It is kept with the plan, so that the layers decide alike
//! wherever the plan comes by.

use guardhost_core::change::Tree;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use serde::{Deserialize, Serialize};

use super::sources::test_path::is_test;
use super::tree_files::TreeFiles;

/// Failing tests that are looked at; the analyzer names at most 12 a project.
const TESTS: usize = 50;
/// Characters of a test's id, and of the task.
const ID: usize = 500;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanContext {
    /// What the user asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The name of a scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Ids of the metrics that fail.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_metrics: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing_tests: Vec<FailingTest>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailingTest {
    pub id: String,
    /// The file of the test.
    #[serde(default)]
    pub path: Option<String>,
    /// Files of the tree that the failure's message names, tests left out.
    #[serde(default)]
    pub named: Vec<String>,
}

impl PlanContext {
    pub fn is_empty(&self) -> bool {
        *self == PlanContext::default()
    }

    pub fn fails(&self, metric: &str) -> bool {
        self.failed_metrics.iter().any(|failed| failed == metric)
    }

    /// Takes over what an audit found: which metrics fail, and which tests.
    ///
    /// # Errors
    /// Of the repository.
    pub fn with_audit(mut self, audit: &AuditFile, tree: &Tree) -> Result<Self> {
        let files = TreeFiles::read(tree)?;
        self.failed_metrics =
            audit.metrics.iter().filter(|metric| metric.status == "fail").map(|metric| metric.id.clone()).collect();
        let results = audit.metrics.iter().find(|metric| metric.id == "test_results" && metric.status == "fail");
        let points = results.into_iter().flat_map(|metric| &metric.points).filter(|point| point.rule == "test-fails");
        let mut tests = Vec::new();
        for point in points.take(TESTS) {
            let id: String = point.message.as_deref().unwrap_or_default().chars().take(ID).collect();
            let path = match &point.path {
                Some(path) => files.has(path).then(|| path.clone()),
                None => files.test_named(&id)?,
            };
            let detail = point.help.as_deref().unwrap_or_default();
            let named = files.named_in(detail).into_iter().filter(|path| !is_test(path)).collect();
            tests.push(FailingTest { id, path, named });
        }
        self.failing_tests = tests;
        Ok(self)
    }

    /// Leaves out the metrics that the scope does not concern, and the tests with them. What stays and what goes, for the trace.
    pub fn scoped(&mut self, audit: &mut AuditFile, metrics: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        audit.metrics.retain(|metric| {
            let stays = metrics.is_empty() || metrics.contains(&metric.id);
            if stays {
                kept.push(metric.id.clone())
            } else {
                dropped.push(metric.id.clone())
            }
            stays
        });
        self.keep_to(metrics);
        (kept, dropped)
    }

    /// Leaves out what fails of other metrics; no metrics mean all.
    pub fn keep_to(&mut self, metrics: &[String]) {
        if metrics.is_empty() {
            return;
        }
        self.failed_metrics.retain(|metric| metrics.contains(metric));
        if !metrics.iter().any(|metric| metric == "test_results") {
            self.failing_tests.clear();
        }
    }
}

/// The JSON of `host audit`, as far as planning needs it.
#[derive(Debug, Clone, Deserialize)]
pub struct AuditFile {
    #[serde(default)]
    pub overall: Option<f64>,
    pub metrics: Vec<AuditMetric>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct AuditMetric {
    pub id: String,
    #[serde(default)]
    pub score: Option<f64>,
    pub status: String,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub points: Vec<AuditPoint>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct AuditPoint {
    pub rule: String,
    #[serde(default)]
    pub earned: f64,
    #[serde(default)]
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

impl AuditFile {
    /// # Errors
    /// [`FaultKind::Usage`]: it is not what `host audit --format json` writes. `origin` names it.
    pub fn parse(json: &[u8], origin: &str) -> Result<Self> {
        serde_json::from_slice(json).with_context(|| {
            Fault::new(FaultKind::Usage, format!("{origin} is no report of an audit"))
                .hint("make one: host audit --format json --output audit.json")
        })
    }
}
