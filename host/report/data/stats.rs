//! What the gate did in a repository: changes, alarms, and what became of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// What the repository [remembers](remember.md) of its rulings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "stats")]
pub struct StatsReport {
    /// A Monday, as `2026-11-23`.
    pub since: String,
    /// All weeks together.
    pub total: GateFigures,
    /// Oldest first, without empty ones.
    pub weeks: Vec<WeekFigures>,
    /// By agent; the most changes first.
    pub agents: Vec<AgentFigures>,
    /// With alarms, most first.
    pub guards: Vec<GuardAlarms>,
    /// Rules with alarms, most first.
    pub rules: Vec<RuleAlarms>,
    /// Guards with at least four alarms, of which people overrode three quarters or more.
    pub quiet: Vec<QuietGuard>,
    /// Records that could not be read.
    pub unread: usize,
}

/// What was judged, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "gateFigures")]
pub struct GateFigures {
    /// How often the gate ruled.
    pub rulings: usize,
    /// Each once.
    pub changes: usize,
    /// Rejected, refused, or stopped by a failure, at least once.
    pub stopped: usize,
    /// What became of those.
    pub after_stop: StoppedFigures,
    /// Accepted with the guards' own fixes.
    pub mended: usize,
    pub alarms: AlarmFigures,
    /// Wall time of the rulings.
    pub micros: u64,
    /// Instructions that guards executed, roughly.
    pub fuel: u64,
}

/// What became of the changes that were stopped, as far as later rulings prove it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "stoppedFigures")]
pub struct StoppedFigures {
    /// They came back: whatever was objected to is gone from a later change of the same files, and such a change was accepted.
    pub repaired: usize,
    /// A person let at least one of the findings stand.
    pub overruled: usize,
    /// No later ruling tells, or a guard failed.
    pub unknown: usize,
}

/// An alarm is one guard's objection to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "alarmFigures")]
pub struct AlarmFigures {
    pub raised: usize,
    /// Removed by the guard's own fix.
    pub mended: usize,
    /// The guard accepts a later change of the file.
    pub heeded: usize,
    /// A person let the finding stand. `overridden` of `raised` is the alarm rate.
    pub overridden: usize,
    /// How: `comment`, `baseline`, `skip` (`--skip`), `rule-change` (`--allow-rule-changes` or its variable).
    pub overridden_by: BTreeMap<&'static str, usize>,
    /// No later ruling tells.
    pub open: usize,
}

/// A week.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "weekFigures")]
pub struct WeekFigures {
    /// Its Monday in UTC, as `2026-11-23`.
    pub week: String,
    #[serde(flatten)]
    pub figures: GateFigures,
}

/// What one agent had judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "agentFigures")]
pub struct AgentFigures {
    /// Or `person`, `model`.
    pub agent: String,
    #[serde(flatten)]
    pub figures: GateFigures,
}

/// The alarms of one guard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "guardAlarms")]
pub struct GuardAlarms {
    /// `host:…` for a rule of the host.
    pub guard: String,
    #[serde(flatten)]
    pub alarms: AlarmFigures,
    /// How many alarms by rule.
    pub rules: BTreeMap<String, usize>,
}

/// The alarms of one rule: of an alarm that several rules raised the first that was named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ruleAlarms")]
pub struct RuleAlarms {
    pub guard: String,
    pub rule: String,
    #[serde(flatten)]
    pub alarms: AlarmFigures,
}

/// A guard that people mostly override.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "quietGuard")]
pub struct QuietGuard {
    pub guard: String,
    pub raised: usize,
    pub overridden: usize,
    /// Lines for `guards.toml` that would quiet it.
    pub setting: String,
}
