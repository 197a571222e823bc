//! What would have been stopped, by what became of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use guardhost_git::{ChangeFate, ChangeMaker, PastChange, PastChangeKind};
use guardhost_report::{
    BacktestKind, BacktestMaker, BacktestReport, BacktestRule, BadEnd, ChangeOutcome, OutcomeCounts, OutcomeOdds,
    StoppedChange, StoppedFinding,
};
use jiff::Timestamp;

use super::judge::{PastRuling, PastVerdict};
use super::links::ForgeLinks;

/// The figures; what is not a matter of figures is left to the caller.
pub fn tally(changes: &[PastChange], verdicts: &[Option<PastVerdict>], links: &ForgeLinks) -> BacktestReport {
    let mut report = BacktestReport { changes: changes.len(), ..BacktestReport::default() };
    let mut makers: BTreeMap<ChangeMaker, (OutcomeCounts, OutcomeCounts)> = BTreeMap::new();
    let mut rules: BTreeMap<(&str, &str), OutcomeCounts> = BTreeMap::new();
    for (change, verdict) in changes.iter().zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        let outcome = outcome(change.fate);
        report.resumed += usize::from(verdict.is_resumed);
        match &verdict.said {
            PastRuling::LeftOut(_) => {
                report.changes -= 1;
                continue;
            }
            PastRuling::Failed => {
                report.failed += 1;
                continue;
            }
            PastRuling::Accepted | PastRuling::Rejected => report.judged += 1,
        }
        let (all, rejected) = makers.entry(change.maker.clone()).or_default();
        all.add(outcome);
        report.all.add(outcome);
        if verdict.said != PastRuling::Rejected {
            continue;
        }
        rejected.add(outcome);
        report.rejected.add(outcome);
        let found: BTreeSet<(&str, &str)> =
            verdict.errors.iter().map(|(guard, finding)| (guard.as_str(), finding.rule.as_str())).collect();
        found.into_iter().for_each(|rule| rules.entry(rule).or_default().add(outcome));
        report.stopped.push(stopped(change, verdict, links));
    }
    // A bot takes back its own pull requests by rule: of what people think of them its closed ones say nothing.
    let judged = makers.iter().filter(|(maker, _)| **maker != ChangeMaker::Bot);
    let (all, rejected): (Vec<_>, Vec<_>) = judged.map(|(_, counts)| *counts).unzip();
    report.odds = odds(&sum(&all), &sum(&rejected));
    report.makers = makers
        .into_iter()
        .map(|(maker, (all, rejected))| BacktestMaker {
            is_agent: matches!(maker, ChangeMaker::Agent(_)),
            maker: name(&maker).to_owned(),
            all,
            rejected,
        })
        .collect();
    report.makers.sort_by_key(|row| Reverse(row.all.sum()));
    report.rules = rules
        .into_iter()
        .map(|((guard, rule), rejected)| BacktestRule { guard: guard.to_owned(), rule: rule.to_owned(), rejected })
        .collect();
    report.rules.sort_by_key(|row| Reverse(row.rejected.sum()));
    // Stable: of the same outcome the newest stays first.
    report.stopped.sort_by_key(|change| change.outcome);
    report
}

fn sum(counts: &[OutcomeCounts]) -> OutcomeCounts {
    counts.iter().fold(OutcomeCounts::default(), |sum, one| OutcomeCounts {
        kept: sum.kept + one.kept,
        reverted: sum.reverted + one.reverted,
        mended: sum.mended + one.mended,
        closed: sum.closed + one.closed,
        undecided: sum.undecided + one.undecided,
    })
}

fn odds(all: &OutcomeCounts, rejected: &OutcomeCounts) -> Vec<OutcomeOdds> {
    let closed = (all.closed - rejected.closed, all.landed() - rejected.landed());
    let undone = (all.undone() - rejected.undone(), all.kept - rejected.kept);
    let of_closed = OutcomeOdds::new(BadEnd::Closed, (rejected.closed, rejected.landed()), closed);
    let of_undone = OutcomeOdds::new(BadEnd::Undone, (rejected.undone(), rejected.kept), undone);
    of_closed.into_iter().chain(of_undone).collect()
}

/// What would have been stopped, for a report.
pub fn stopped(change: &PastChange, verdict: &PastVerdict, links: &ForgeLinks) -> StoppedChange {
    let (kind, number) = match change.what {
        PastChangeKind::Commit => (BacktestKind::Commit, None),
        PastChangeKind::Merge => (BacktestKind::Merge, None),
        PastChangeKind::Pull(number) => (BacktestKind::Pull, Some(number)),
        PastChangeKind::MergeRequest(number) => (BacktestKind::MergeRequest, Some(number)),
    };
    StoppedChange {
        kind,
        number,
        commit: change.tip,
        base: change.base,
        subject: change.subject.clone(),
        at: Timestamp::from_second(change.seconds).map(|at| at.to_string()).unwrap_or_default(),
        maker: name(&change.maker).to_owned(),
        outcome: outcome(change.fate),
        landed: change.landing.map(|landing| landing.commit),
        undone_by: match change.fate {
            ChangeFate::Reverted(by) | ChangeFate::Mended(by) => Some(by),
            ChangeFate::Kept | ChangeFate::Closed | ChangeFate::Undecided => None,
        },
        url: links.to(change),
        findings: verdict
            .errors
            .iter()
            .map(|(guard, finding)| StoppedFinding { guard: guard.clone(), finding: finding.clone() })
            .collect(),
        more: verdict.more,
    }
}

fn name(maker: &ChangeMaker) -> &str {
    match maker {
        ChangeMaker::Agent(name) => name,
        ChangeMaker::Bot => "bot",
        ChangeMaker::Person => "person",
    }
}

pub fn outcome(fate: ChangeFate) -> ChangeOutcome {
    match fate {
        ChangeFate::Kept => ChangeOutcome::Kept,
        ChangeFate::Reverted(_) => ChangeOutcome::Reverted,
        ChangeFate::Mended(_) => ChangeOutcome::Mended,
        ChangeFate::Closed => ChangeOutcome::Closed,
        ChangeFate::Undecided => ChangeOutcome::Undecided,
    }
}
