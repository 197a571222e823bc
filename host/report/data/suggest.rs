//! `host guard suggest`: what a repository's past says of guards that are off and of other settings.

use guardhost_core::change::Oid;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::backtest::StoppedChange;
use super::stats::QuietGuard;

/// What other guards and settings would find in the past changes that the set lets pass.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "suggested")]
pub struct SuggestReport {
    /// The commit whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Pull requests were judged instead of first-parent commits.
    pub pulls: bool,
    /// Changes that were to be judged.
    pub changes: usize,
    pub judged: usize,
    /// Of what it lets pass, reverted or fixed later.
    pub undone: usize,
    /// Of what it lets pass, kept.
    pub kept: usize,
    /// The most catches first.
    pub suggestions: Vec<GuardSuggestion>,
    /// Tried and not suggested: too few catches, or too many alarms.
    pub others: Vec<GuardSuggestion>,
    /// Guards whose alarms people mostly override, and which alone caught nothing that came back.
    pub quiet: Vec<QuietSuggestion>,
    /// `interrupted` or `over-budget`; `null` if all were judged. The next run goes on from here.
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
    /// That it judges at all, or its other settings.
    pub why: String,
    /// The lines of `guards.toml`.
    pub toml: String,
    /// Reverted or fixed later, newest first.
    pub caught: Vec<StoppedChange>,
    /// What was kept, newest first.
    pub alarmed: Vec<StoppedChange>,
    pub failed: usize,
}

/// A guard that could be quieter.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "quietSuggestion")]
pub struct QuietSuggestion {
    #[serde(flatten)]
    pub overridden: QuietGuard,
    /// Changes that it alone would have stopped; none was reverted or fixed later.
    pub stopped: usize,
}
