//! `host backtest` of pull requests, of commits that ended early, and of nothing.

use guardhost_core::change::Severity;
use guardhost_report::{
    BacktestForge, BacktestKind, BacktestMaker, BacktestReport, BacktestRule, BadEnd, ChangeOutcome, ForgeDifference,
    OutcomeCounts, OutcomeOdds, PullEndAtForge, StoppedChange, StoppedFinding,
};

use super::check::{finding, oid};

pub fn stopped(kind: BacktestKind, number: Option<u64>, outcome: ChangeOutcome) -> StoppedChange {
    let found = finding("syntax", Severity::Error, Some(("src/x.py", 3, 3)), "src/x.py cannot be parsed any more");
    StoppedChange {
        kind,
        number,
        commit: oid(0xcc),
        base: Some(oid(0xaa)),
        subject: "Shorten it".to_owned(),
        at: "2026-01-31T08:15:00Z".to_owned(),
        maker: "claude".to_owned(),
        outcome,
        landed: (outcome != ChangeOutcome::Closed).then(|| oid(0xdd)),
        undone_by: (outcome == ChangeOutcome::Reverted).then(|| oid(0xee)),
        url: number.map(|number| format!("https://github.com/owner/name/pull/{number}")),
        findings: vec![StoppedFinding { guard: "syntax-holds".to_owned(), finding: found }],
        more: 4,
    }
}

pub fn pulls() -> BacktestReport {
    let all = OutcomeCounts { kept: 90, reverted: 4, mended: 6, closed: 40, undecided: 3 };
    let rejected = OutcomeCounts { kept: 1, reverted: 1, mended: 0, closed: 8, undecided: 1 };
    BacktestReport {
        commit: Some(oid(0xbb)),
        pulls: true,
        changes: 144,
        judged: 143,
        resumed: 20,
        failed: 1,
        all,
        rejected,
        odds: OutcomeOdds::new(BadEnd::Closed, (8, 2), (32, 98)).into_iter().collect(),
        makers: vec![BacktestMaker { maker: "claude".to_owned(), is_agent: true, all, rejected }],
        rules: vec![BacktestRule { guard: "syntax-holds".to_owned(), rule: "syntax".to_owned(), rejected }],
        stopped: vec![
            stopped(BacktestKind::Pull, Some(12), ChangeOutcome::Kept),
            stopped(BacktestKind::Pull, Some(11), ChangeOutcome::Closed),
        ],
        forge: Some(BacktestForge {
            told: 141,
            unknown: 3,
            settled: 2,
            differences: vec![ForgeDifference {
                number: 9,
                history: ChangeOutcome::Closed,
                forge: PullEndAtForge::Merged,
            }],
            ended_by: Some("forge-rate-limited"),
        }),
        notices: vec!["2 pull requests were left out".to_owned()],
        micros: 61_000_000,
        ..BacktestReport::default()
    }
}

pub fn interrupted() -> BacktestReport {
    let one = OutcomeCounts { reverted: 1, ..OutcomeCounts::default() };
    BacktestReport {
        commit: Some(oid(0xbb)),
        changes: 500,
        judged: 10,
        all: OutcomeCounts { kept: 9, ..one },
        rejected: one,
        stopped: vec![stopped(BacktestKind::Commit, None, ChangeOutcome::Reverted)],
        ended_by: Some("interrupted"),
        micros: 2_000_000,
        ..BacktestReport::default()
    }
}
