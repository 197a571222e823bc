//! The layers between a planner and the first step, and what they did to a plan.

use schemars::JsonSchema;
use serde::Serialize;

use super::RepoPath;
use crate::written::serialized_name;
use crate::written_from;

/// See [layers](plans.md#layers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "planLayer")]
pub enum PlanLayer {
    Ground,
    FailingTests,
    TestsToSources,
    ReadmeOnly,
    Scope,
    History,
    /// Of the plan stage.
    Guard,
}

impl PlanLayer {
    /// Those of the host; guards come after them, in the order of `guards.toml`.
    pub const ORDER: [PlanLayer; 6] = [
        PlanLayer::Ground,
        PlanLayer::FailingTests,
        PlanLayer::TestsToSources,
        PlanLayer::ReadmeOnly,
        PlanLayer::Scope,
        PlanLayer::History,
    ];

    /// As reports spell it.
    pub fn name(self) -> &'static str {
        serialized_name(&self)
    }

    /// The event of the trace that says what it did. A guard may name one of its own: see [`LayerReport::event`].
    pub fn event(self) -> &'static str {
        match self {
            PlanLayer::Ground => "plan.grounded",
            PlanLayer::FailingTests => "plan.real_bug_synthesized",
            PlanLayer::TestsToSources => "plan.occam_rewrite",
            PlanLayer::ReadmeOnly => "plan.readme_banished",
            PlanLayer::Scope => "scope.plan_filtered",
            PlanLayer::History => "plan.occam_filter",
            PlanLayer::Guard => "plan.guard_filtered",
        }
    }
}

/// What a layer does to one step. Steps are named by their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanEdit {
    Drop { step: String, reason: String },
    RewriteHints { step: String, before: Vec<RepoPath>, after: Vec<RepoPath>, reason: String },
    Insert { step: String, reason: String },
}

/// What one layer did to a plan; at least one edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerReport {
    pub layer: PlanLayer,
    /// Of [`PlanLayer::Guard`], which one.
    pub guard: Option<LayerGuard>,
    pub edits: Vec<PlanEdit>,
}

/// A guard of the plan stage that did something to a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerGuard {
    pub id: String,
    /// The event that its description names; empty when it names none.
    pub event: String,
}

impl LayerReport {
    /// The event of the trace that says what it did.
    pub fn event(&self) -> &str {
        let own = self.guard.as_ref().map(|guard| guard.event.as_str()).filter(|event| !event.is_empty());
        own.unwrap_or(self.layer.event())
    }

    /// As people read it: the id of a guard, or the layer's name.
    pub fn name(&self) -> &str {
        self.guard.as_ref().map_or(self.layer.name(), |guard| &guard.id)
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "layer")]
struct LayerKeys {
    name: PlanLayer,
    /// In the trace.
    event: String,
    #[serde(flatten)]
    edits: LayerEdits,
}

/// The edits of a layer by kind, as reports and the trace have them.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "layerEdits")]
pub struct LayerEdits {
    pub dropped: Vec<DroppedStep>,
    pub rewritten: Vec<RewrittenHints>,
    /// Ids of steps.
    pub inserted: Vec<String>,
    pub inserted_because: Vec<String>,
    /// Of the plan stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "droppedStep")]
pub struct DroppedStep {
    pub step: String,
    pub reason: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "rewrittenHints")]
pub struct RewrittenHints {
    pub step: String,
    pub before: Vec<RepoPath>,
    pub after: Vec<RepoPath>,
    pub reason: String,
}

impl LayerReport {
    /// The edits by kind.
    pub fn by_kind(&self) -> LayerEdits {
        let guard = self.guard.as_ref().map(|guard| guard.id.clone());
        let (dropped, rewritten, inserted, inserted_because) = Default::default();
        let mut kinds = LayerEdits { dropped, rewritten, inserted, inserted_because, guard };
        for edit in self.edits.iter().cloned() {
            match edit {
                PlanEdit::Drop { step, reason } => kinds.dropped.push(DroppedStep { step, reason }),
                PlanEdit::RewriteHints { step, before, after, reason } => {
                    kinds.rewritten.push(RewrittenHints { step, before, after, reason });
                }
                PlanEdit::Insert { step, reason } => {
                    kinds.inserted.push(step);
                    kinds.inserted_because.push(reason);
                }
            }
        }
        kinds.inserted_because.dedup();
        kinds
    }
}

impl From<&LayerReport> for LayerKeys {
    fn from(report: &LayerReport) -> Self {
        LayerKeys { name: report.layer, event: report.event().to_owned(), edits: report.by_kind() }
    }
}

written_from!(LayerReport, LayerKeys);
