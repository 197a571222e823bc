//! What the gate did in a repository: changes, alarms, and what became of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// From its [memory](remember.md).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "stats")]
pub struct StatsReport {
    /// A Monday, as `2026-11-23`.
    pub since: String,
    pub total: GateFigures,
    /// Oldest first.
    pub weeks: Vec<WeekFigures>,
    /// The most changes first.
    pub agents: Vec<AgentFigures>,
    /// Most alarms first.
    pub guards: Vec<GuardAlarms>,
    /// Most alarms first.
    pub rules: Vec<RuleAlarms>,
    /// At least four alarms, three quarters overridden.
    pub quiet: Vec<QuietGuard>,
    /// Unreadable records.
    pub unread: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "gateFigures")]
pub struct GateFigures {
    pub rulings: usize,
    /// Each once.
    pub changes: usize,
    /// Rejected, refused or failed, at least once.
    pub stopped: usize,
    pub after_stop: StoppedFigures,
    /// Accepted with the guards' fixes.
    pub mended: usize,
    pub alarms: AlarmFigures,
    pub micros: u64,
    pub fuel: u64,
}

/// What became of the changes that were stopped, by later judgements.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "stoppedFigures")]
pub struct StoppedFigures {
    /// A later change of the same files has nothing of it, and was accepted.
    pub repaired: usize,
    /// A person let a finding stand.
    pub overruled: usize,
    /// No later judgement tells, or a guard failed.
    pub unknown: usize,
}

/// One guard's objection to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "alarmFigures")]
pub struct AlarmFigures {
    pub raised: usize,
    /// By the guard's fix.
    pub mended: usize,
    /// The guard accepts a later change of the file.
    pub heeded: usize,
    /// A person let it stand; its share of `raised` is the alarm rate.
    pub overridden: usize,
    /// How: `comment`, `baseline`, `skip` (`--skip`), `rule-change` (`--allow-rule-changes` or its variable).
    pub overridden_by: BTreeMap<&'static str, usize>,
    /// No later judgement tells.
    pub open: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "weekFigures")]
pub struct WeekFigures {
    /// Its Monday in UTC, as `2026-11-23`.
    pub week: String,
    #[serde(flatten)]
    pub figures: GateFigures,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "agentFigures")]
pub struct AgentFigures {
    /// Or `person`, `model`.
    pub agent: String,
    #[serde(flatten)]
    pub figures: GateFigures,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "guardAlarms")]
pub struct GuardAlarms {
    /// `host:…` for a rule of the host.
    pub guard: String,
    #[serde(flatten)]
    pub alarms: AlarmFigures,
    /// Alarms by rule.
    pub rules: BTreeMap<String, usize>,
}

/// Of several rules, an alarm counts for the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ruleAlarms")]
pub struct RuleAlarms {
    pub guard: String,
    pub rule: String,
    #[serde(flatten)]
    pub alarms: AlarmFigures,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "quietGuard")]
pub struct QuietGuard {
    pub guard: String,
    pub raised: usize,
    pub overridden: usize,
    /// Lines for `guards.toml`.
    pub setting: String,
}
