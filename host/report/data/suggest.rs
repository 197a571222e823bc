//! `host guard suggest`: what a repository's past says of guards that are off and of other settings.

use guardhost_core::change::Oid;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::backtest::StoppedChange;
use super::stats::QuietGuard;

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "suggested")]
pub struct SuggestReport {
    /// Whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Of pull requests, instead of first-parent commits.
    pub pulls: bool,
    /// To be judged.
    pub changes: usize,
    pub judged: usize,
    /// Changes that pass, reverted or fixed later.
    pub undone: usize,
    /// Changes that pass, and stayed.
    pub kept: usize,
    pub suggestions: Vec<GuardSuggestion>,
    /// Too few catches, or too many alarms.
    pub others: Vec<GuardSuggestion>,
    /// Mostly overridden, and alone caught nothing.
    pub quiet: Vec<QuietSuggestion>,
    /// `interrupted` or `over-budget`. The next run continues.
    pub ended_by: Option<&'static str>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guardSuggestion")]
pub struct GuardSuggestion {
    pub guard: String,
    pub why: String,
    /// For `guards.toml`.
    pub toml: String,
    /// Reverted or fixed later.
    pub caught: Vec<StoppedChange>,
    /// Kept changes.
    pub alarmed: Vec<StoppedChange>,
    pub failed: usize,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "quietSuggestion")]
pub struct QuietSuggestion {
    #[serde(flatten)]
    pub overridden: QuietGuard,
    /// Changes that it alone stopped; none was undone.
    pub stopped: usize,
}
