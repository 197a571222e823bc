//! `host guard suggest`: what a repository's past says of guards that are off and of other settings.

use guardhost_core::change::Oid;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::backtest::StoppedChange;
use super::stats::QuietGuard;

/// What the set would find with guards that are off, and with other settings, and what it would raise an alarm for: judged on the changes of the past that
/// the set lets pass.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "suggested")]
pub struct SuggestReport {
    /// The commit whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Pull or merge requests were judged, instead of the commits of the first-parent line.
    pub pulls: bool,
    /// Changes that were to be judged.
    pub changes: usize,
    /// Those that the set as it is judged.
    pub judged: usize,
    /// What it lets pass and what was reverted or mended.
    pub undone: usize,
    /// What it lets pass and what was kept.
    pub kept: usize,
    /// What the past carries; that which would have caught most first.
    pub suggestions: Vec<GuardSuggestion>,
    /// What was tried and is not suggested: it would have caught nothing, or raised too many alarms.
    pub others: Vec<GuardSuggestion>,
    /// Guards whose alarms people mostly override, and which alone would have caught nothing that came back.
    pub quiet: Vec<QuietSuggestion>,
    /// Why not all was judged: `interrupted` or `over-budget`; `null` if it was. The next run goes on from here.
    pub ended_by: Option<&'static str>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// A guard as it could judge.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guardSuggestion")]
pub struct GuardSuggestion {
    pub guard: String,
    /// What is different: that it judges at all, or what its other settings find.
    pub why: String,
    /// The lines of `guards.toml`.
    pub toml: String,
    /// What was reverted or mended, newest first.
    pub caught: Vec<StoppedChange>,
    /// What was kept, newest first.
    pub alarmed: Vec<StoppedChange>,
    /// Changes that the guard could not judge.
    pub failed: usize,
}

/// A guard that could be quieter.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "quietSuggestion")]
pub struct QuietSuggestion {
    #[serde(flatten)]
    pub overridden: QuietGuard,
    /// Changes of the past that this guard alone would have stopped. None of them was reverted or mended.
    pub stopped: usize,
}
