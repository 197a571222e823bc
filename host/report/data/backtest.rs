//! `host backtest`: what the guards of today say of the changes of the past, and what became of these.

use guardhost_core::change::{Finding, Oid};
use guardhost_core::serialized_names;
use guardhost_core::written::{Hex, OptionalHex};
use schemars::JsonSchema;
use serde::Serialize;

use super::init::PlaceOfFinding;
use super::triage::TriageClass;

/// What today's guards and rules say of past changes.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtested")]
pub struct BacktestReport {
    /// The commit whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Pull requests were judged instead of first-parent commits.
    pub pulls: bool,
    /// Changes that were to be judged.
    pub changes: usize,
    /// Those that were judged.
    pub judged: usize,
    /// Of these, from an earlier run of this command.
    pub resumed: usize,
    /// A guard could not judge them, and none rejects. No figure below counts them.
    pub failed: usize,
    /// Of all judged.
    pub all: OutcomeCounts,
    /// Of those that would have been stopped.
    pub rejected: OutcomeCounts,
    /// How much more often stopped changes ended badly.
    pub odds: Vec<OutcomeOdds>,
    /// By maker, the most frequent first.
    pub makers: Vec<BacktestMaker>,
    /// By rule, most stopped first.
    pub rules: Vec<BacktestRule>,
    /// What would have been stopped: kept ones first, then newest first.
    pub stopped: Vec<StoppedChange>,
    /// With `--forge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forge: Option<BacktestForge>,
    /// With `--triage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triage: Option<BacktestTriage>,
    /// `interrupted` or `over-budget`; `null` if all were judged. The next run goes on from here.
    pub ended_by: Option<&'static str>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What a forge said of the pull requests.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestForge")]
pub struct BacktestForge {
    /// Pull requests whose end it said, now or in an earlier run.
    pub told: usize,
    /// Those of which it said nothing.
    pub unknown: usize,
    /// Those that the history left undecided.
    pub settled: usize,
    /// Where the history says otherwise; newest first.
    pub differences: Vec<ForgeDifference>,
    /// Why it was not asked about the rest: `forge-rate-limited`, `forge-unreachable`, `forge-lost`, `forge-failed` or
    /// `forge-protocol`. The next run goes on from here.
    pub ended_by: Option<&'static str>,
}

/// A pull request of which the history tells otherwise than its forge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "forgeDifference")]
pub struct ForgeDifference {
    pub number: u64,
    /// What the history alone says: `kept` if in HEAD, else `closed`.
    pub history: ChangeOutcome,
    pub forge: PullEndAtForge,
}

/// What a forge says of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pullEndAtForge")]
pub enum PullEndAtForge {
    Merged,
    Closed,
    Open,
}

/// What of the accepted changes is proved to be harmless.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestTriage")]
pub struct BacktestTriage {
    /// Accepted changes.
    pub changes: OutcomeCounts,
    /// Proved as a whole.
    pub proved: OutcomeCounts,
    /// Files of the accepted changes.
    pub files: usize,
    /// Without empty ones.
    pub classes: Vec<BacktestClass>,
}

/// One class of harmless changes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestClass")]
pub struct BacktestClass {
    pub class: TriageClass,
    /// Files with a proof of this class.
    pub files: usize,
    /// Wholly proved changes with a file of this class.
    pub proved: OutcomeCounts,
}

/// What became of changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeCounts")]
pub struct OutcomeCounts {
    /// In HEAD, or merged at the forge, and neither of the next two.
    pub kept: usize,
    /// Taken back by a later commit.
    pub reverted: usize,
    /// A fix changed lines of it within a week.
    pub mended: usize,
    /// Not in HEAD, or closed at the forge.
    pub closed: usize,
    /// Not in HEAD, and perhaps open.
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

/// What became of a change.
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

/// What a change of the past was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "backtestKind")]
pub enum BacktestKind {
    Commit,
    Merge,
    Pull,
    MergeRequest,
}

/// What bad end the odds are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "badEnd")]
pub enum BadEnd {
    /// Closed pull requests, compared with merged ones.
    Closed,
    /// Reverted or fixed later, compared with kept.
    Undone,
}

serialized_names!(ChangeOutcome, BacktestKind, BadEnd, PullEndAtForge);

/// The odds ratio of a bad end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeOdds")]
pub struct OutcomeOdds {
    pub bad: BadEnd,
    /// Stopped, and ended badly.
    pub rejected_bad: usize,
    /// Stopped, and did not.
    pub rejected_good: usize,
    pub accepted_bad: usize,
    pub accepted_good: usize,
    pub ratio: f64,
    /// The interval of 95 %.
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

/// What changes of one kind of author came to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestMaker")]
pub struct BacktestMaker {
    /// An agent, `bot` or `person`.
    pub maker: String,
    pub is_agent: bool,
    pub all: OutcomeCounts,
    pub rejected: OutcomeCounts,
}

/// What one rule would have stopped.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestRule")]
pub struct BacktestRule {
    pub guard: String,
    pub rule: String,
    /// Changes with an error of it, each once.
    pub rejected: OutcomeCounts,
}

/// A change that would have been stopped.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "stoppedChange")]
pub struct StoppedChange {
    pub kind: BacktestKind,
    /// Of a pull or merge request.
    pub number: Option<u64>,
    /// Its last commit.
    #[serde(with = "Hex")]
    pub commit: Oid,
    /// `null` without a parent.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    pub subject: String,
    /// Of its last commit, UTC.
    pub at: String,
    /// As in `makers`.
    pub maker: String,
    pub outcome: ChangeOutcome,
    /// By which it came into HEAD.
    #[serde(with = "OptionalHex")]
    pub landed: Option<Oid>,
    /// By which it was reverted or fixed.
    #[serde(with = "OptionalHex")]
    pub undone_by: Option<Oid>,
    /// Its page at the forge, if known.
    pub url: Option<String>,
    /// The first errors.
    pub findings: Vec<StoppedFinding>,
    /// Errors that are not listed.
    pub more: usize,
}

/// An error in a change.
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
