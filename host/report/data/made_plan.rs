//! `host plan`: a plan that was made.

use guardhost_core::change::{LayerReport, Usage};
use serde_json::Value;

/// A plan after its layers, and how it came about.
#[derive(Debug, Clone, Default)]
pub struct MadePlanReport {
    /// The run in which it was made.
    pub run: String,
    /// `tasks`, `context` and `layers`, as `host run --plan` reads them.
    pub plan: Value,
    pub steps: Vec<PlannedStep>,
    pub layers: Vec<LayerReport>,
    /// The provider that answered, and its model where it names one.
    pub provider: String,
    pub model: Option<String>,
    /// How often it was asked.
    pub questions: usize,
    pub spent: Usage,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// A step as people see it.
#[derive(Debug, Clone, Default)]
pub struct PlannedStep {
    pub id: String,
    pub task: String,
    pub title: String,
    pub action: &'static str,
    pub hints: Vec<String>,
    /// Why it was dropped.
    pub dropped: Option<String>,
}
