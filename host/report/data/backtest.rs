//! `host backtest`: what the guards of today say of the changes of the past, and what became of these.

use guardhost_core::change::{Finding, Oid};
use guardhost_core::serialized_names;
use guardhost_core::written::{Hex, OptionalHex};
use schemars::JsonSchema;
use serde::Serialize;

use super::init::PlaceOfFinding;
use super::triage::TriageClass;

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtested")]
pub struct BacktestReport {
    /// Whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Of pull requests, instead of first-parent commits.
    pub pulls: bool,
    /// To be judged.
    pub changes: usize,
    pub judged: usize,
    /// Of `judged`, by an earlier run.
    pub resumed: usize,
    /// A guard failed and none rejects: not counted below.
    pub failed: usize,
    pub all: OutcomeCounts,
    pub rejected: OutcomeCounts,
    /// The odds ratio of a bad end.
    pub odds: Vec<OutcomeOdds>,
    /// The most frequent first.
    pub makers: Vec<BacktestMaker>,
    /// Most stopped first.
    pub rules: Vec<BacktestRule>,
    /// Kept ones first, then newest first.
    pub stopped: Vec<StoppedChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forge: Option<BacktestForge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triage: Option<BacktestTriage>,
    /// `interrupted` or `over-budget`. The next run continues.
    pub ended_by: Option<&'static str>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestForge")]
pub struct BacktestForge {
    /// Pull requests whose end it said.
    pub told: usize,
    /// Those without an answer.
    pub unknown: usize,
    /// Those that the history left undecided.
    pub settled: usize,
    /// From the history, newest first.
    pub differences: Vec<ForgeDifference>,
    /// `forge-rate-limited`, `forge-unreachable`, `forge-lost`, `forge-failed` or `forge-protocol`. The next run continues.
    pub ended_by: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "forgeDifference")]
pub struct ForgeDifference {
    pub number: u64,
    /// `kept` if in HEAD, else `closed`.
    pub history: ChangeOutcome,
    pub forge: PullEndAtForge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pullEndAtForge")]
pub enum PullEndAtForge {
    Merged,
    Closed,
    Open,
}

/// What is proved of accepted changes.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestTriage")]
pub struct BacktestTriage {
    /// All.
    pub changes: OutcomeCounts,
    /// As a whole.
    pub proved: OutcomeCounts,
    /// All.
    pub files: usize,
    pub classes: Vec<BacktestClass>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestClass")]
pub struct BacktestClass {
    pub class: TriageClass,
    /// With this proof.
    pub files: usize,
    /// Wholly proved changes.
    pub proved: OutcomeCounts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeCounts")]
pub struct OutcomeCounts {
    /// In HEAD or merged, and neither reverted nor fixed.
    pub kept: usize,
    pub reverted: usize,
    /// A fix changed lines of it within a week.
    pub mended: usize,
    pub closed: usize,
    /// Perhaps open.
    pub undecided: usize,
}

impl OutcomeCounts {
    pub fn add(&mut self, outcome: ChangeOutcome) {
        match outcome {
            ChangeOutcome::Kept => self.kept += 1,
            ChangeOutcome::Reverted => self.reverted += 1,
            ChangeOutcome::Mended => self.mended += 1,
            ChangeOutcome::Closed => self.closed += 1,
            ChangeOutcome::Undecided => self.undecided += 1,
        }
    }

    pub fn sum(&self) -> usize {
        self.landed() + self.closed + self.undecided
    }

    /// Those that came into HEAD.
    pub fn landed(&self) -> usize {
        self.kept + self.undone()
    }

    /// Those that came in and were taken back or mended.
    pub fn undone(&self) -> usize {
        self.reverted + self.mended
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "changeOutcome")]
pub enum ChangeOutcome {
    Kept,
    Mended,
    Reverted,
    Closed,
    Undecided,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "backtestKind")]
pub enum BacktestKind {
    Commit,
    Merge,
    Pull,
    MergeRequest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "badEnd")]
pub enum BadEnd {
    /// Compared with merged.
    Closed,
    /// Reverted or fixed, compared with kept.
    Undone,
}

serialized_names!(ChangeOutcome, BacktestKind, BadEnd, PullEndAtForge);

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeOdds")]
pub struct OutcomeOdds {
    pub bad: BadEnd,
    /// Stopped, ended badly.
    pub rejected_bad: usize,
    /// Stopped, ended well.
    pub rejected_good: usize,
    pub accepted_bad: usize,
    pub accepted_good: usize,
    pub ratio: f64,
    /// Of the 95 % interval.
    pub low: f64,
    pub high: f64,
}

impl OutcomeOdds {
    /// After Woolf, with one half added to each count where one is zero. None where a row or a column is empty: nothing can be compared.
    pub fn new(bad: BadEnd, rejected: (usize, usize), accepted: (usize, usize)) -> Option<Self> {
        let counts = [rejected.0, rejected.1, accepted.0, accepted.1];
        let sums = [rejected.0 + rejected.1, accepted.0 + accepted.1, rejected.0 + accepted.0, rejected.1 + accepted.1];
        if sums.contains(&0) {
            return None;
        }
        let more = if counts.contains(&0) { 0.5 } else { 0.0 };
        let [a, b, c, d] = counts.map(|count| count as f64 + more);
        let ratio = (a * d) / (b * c);
        let spread = (1.96 * (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d).sqrt()).exp();
        let (low, high) = (ratio / spread, ratio * spread);
        let [rejected_bad, rejected_good, accepted_bad, accepted_good] = counts;
        Some(OutcomeOdds { bad, rejected_bad, rejected_good, accepted_bad, accepted_good, ratio, low, high })
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestMaker")]
pub struct BacktestMaker {
    /// An agent, `bot` or `person`.
    pub maker: String,
    pub is_agent: bool,
    pub all: OutcomeCounts,
    pub rejected: OutcomeCounts,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestRule")]
pub struct BacktestRule {
    pub guard: String,
    pub rule: String,
    /// Changes with such an error.
    pub rejected: OutcomeCounts,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "stoppedChange")]
pub struct StoppedChange {
    pub kind: BacktestKind,
    pub number: Option<u64>,
    /// Its last.
    #[serde(with = "Hex")]
    pub commit: Oid,
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    pub subject: String,
    /// UTC.
    pub at: String,
    pub maker: String,
    pub outcome: ChangeOutcome,
    /// By which it came into HEAD.
    #[serde(with = "OptionalHex")]
    pub landed: Option<Oid>,
    /// By which it was reverted or fixed.
    #[serde(with = "OptionalHex")]
    pub undone_by: Option<Oid>,
    /// At the forge.
    pub url: Option<String>,
    /// The first errors.
    pub findings: Vec<StoppedFinding>,
    /// Errors that are not listed.
    pub more: usize,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "stoppedFinding")]
pub struct StoppedFinding {
    pub guard: String,
    #[serde(flatten, with = "PlaceOfFinding")]
    pub finding: Finding,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of a textbook: 16 of 100 and 5 of 100.
    #[test]
    fn odds_have_the_interval_of_their_counts() {
        let odds = OutcomeOdds::new(BadEnd::Undone, (16, 84), (5, 95)).unwrap();
        assert!(
            (odds.ratio - 3.619).abs() < 1e-3 && (odds.low - 1.271).abs() < 1e-3 && (odds.high - 10.306).abs() < 1e-2,
            "{odds:?}"
        );
        let none = OutcomeOdds::new(BadEnd::Undone, (0, 10), (5, 95)).unwrap();
        assert!(none.ratio > 0.0 && none.low < none.ratio && none.ratio < none.high, "{none:?}");
        assert_eq!(OutcomeOdds::new(BadEnd::Closed, (0, 0), (5, 95)), None);
        assert_eq!(OutcomeOdds::new(BadEnd::Closed, (0, 3), (0, 95)), None);
    }
}
