//! `host backtest`: what the guards of today say of the changes of the past, and what became of these.

use guardhost_core::change::{Finding, Oid};
use guardhost_core::serialized_names;
use guardhost_core::written::{Hex, OptionalHex};
use schemars::JsonSchema;
use serde::Serialize;

use super::init::PlaceOfFinding;
use super::triage::TriageClass;

/// What the guards of today say of the changes of the past. The rules of these times are not used.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtested")]
pub struct BacktestReport {
    /// The commit whose rules judged.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Pull or merge requests were judged, instead of the commits of the first-parent line.
    pub pulls: bool,
    /// Changes that were to be judged.
    pub changes: usize,
    /// Those that were judged.
    pub judged: usize,
    /// Of these, those whose verdict was kept from an earlier run of this command.
    pub resumed: usize,
    /// Those that some guard could not judge, and none rejects. They count in none of the figures below.
    pub failed: usize,
    /// What became of those that were judged.
    pub all: OutcomeCounts,
    /// What became of those that would have been stopped.
    pub rejected: OutcomeCounts,
    /// How much more often what would have been stopped ended badly.
    pub odds: Vec<OutcomeOdds>,
    /// By who made the changes, the most frequent first.
    pub makers: Vec<BacktestMaker>,
    /// By rule, that which stops most first.
    pub rules: Vec<BacktestRule>,
    /// What would have been stopped: what was kept first, since these are the alarms to read; then newest first.
    pub stopped: Vec<StoppedChange>,
    /// With `--forge`, how what it said stands to the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forge: Option<BacktestForge>,
    /// With `--triage`, what of the changes is proved to be harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triage: Option<BacktestTriage>,
    /// Why not all were judged: `interrupted` or `over-budget`; `null` if they were. The next run goes on from here.
    pub ended_by: Option<&'static str>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What a forge said of the pull requests, beside what the history tells. Where they differ, the forge counts.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestForge")]
pub struct BacktestForge {
    /// Pull requests of which it said, in this run or an earlier one, what became of them.
    pub told: usize,
    /// Those of whose commit here it did not speak: what is in HEAD counts as the history tells, all else as `undecided`.
    pub unknown: usize,
    /// Of those told, the ones that the history had left undecided.
    pub settled: usize,
    /// Of those told, the ones of which the history tells otherwise; newest first.
    pub differences: Vec<ForgeDifference>,
    /// Why it was not asked about the rest: `forge-rate-limited`, `forge-unreachable`, `forge-lost`, `forge-failed` or `forge-protocol`; `null` if
    /// it was asked to the end. The next run goes on from here.
    pub ended_by: Option<&'static str>,
}

/// A pull request of which the history tells otherwise than its forge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "forgeDifference")]
pub struct ForgeDifference {
    pub number: u64,
    /// What the history alone tells: `kept` of what is in HEAD, whatever became of it there, and `closed` of what is not.
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

/// What of the changes that the guards accept is proved to be harmless, and what became of these.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtestTriage")]
pub struct BacktestTriage {
    /// Accepted changes.
    pub changes: OutcomeCounts,
    /// Those of which every file is proved.
    pub proved: OutcomeCounts,
    /// Files of the accepted changes.
    pub files: usize,
    /// By class, in the order of the classes; those of which nothing is are left out.
    pub classes: Vec<BacktestClass>,
}

/// One class of harmless changes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "backtestClass")]
pub struct BacktestClass {
    pub class: TriageClass,
    /// Files with a proof of this class.
    pub files: usize,
    /// Changes of which every file is proved, and one is of this class.
    pub proved: OutcomeCounts,
}

/// What became of changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeCounts")]
pub struct OutcomeCounts {
    /// In HEAD, or merged as the forge says, and neither of the next two.
    pub kept: usize,
    /// Taken back by a later commit.
    pub reverted: usize,
    /// A commit that says that it fixes something changed lines of it within a week.
    pub mended: usize,
    /// Pull requests that are not in HEAD, or that the forge says were closed.
    pub closed: usize,
    /// Not in HEAD, and they may be open, or are.
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
    /// A pull request was not merged, compared with those that were.
    Closed,
    /// What came in was reverted or mended, compared with what was kept.
    Undone,
}

serialized_names!(ChangeOutcome, BacktestKind, BadEnd, PullEndAtForge);

/// The odds of a bad end of what would have been stopped, divided by those of what would not.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "outcomeOdds")]
pub struct OutcomeOdds {
    pub bad: BadEnd,
    /// Would have been stopped, and ended badly.
    pub rejected_bad: usize,
    /// Would have been stopped, and did not.
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
    /// The name of an agent, `bot` or `person`.
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
    /// Of the changes in which it found an error, each once.
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
    /// What it was compared with; `null` if it has no parent.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    pub subject: String,
    /// When its last commit was made, in UTC.
    pub at: String,
    /// As in `makers`.
    pub maker: String,
    pub outcome: ChangeOutcome,
    /// The commit by which it came into HEAD; `null` if it did not.
    #[serde(with = "OptionalHex")]
    pub landed: Option<Oid>,
    /// The commit that reverted or mended it.
    #[serde(with = "OptionalHex")]
    pub undone_by: Option<Oid>,
    /// Its page at the forge of the remote `origin`, if the forge is known by its address.
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
