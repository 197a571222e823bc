//! What the guards would have stopped in the past, and what became of it.

use guardhost_report::{
    BacktestForge, BacktestKind, BacktestReport, BadEnd, ChangeOutcome, ForgeDifference, OutcomeCounts, OutcomeOdds,
    StoppedChange, escape,
};

use super::super::{format_units, text};
use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};

/// Stopped changes that are shown; the JSON and the page have all.
const SHOWN: usize = 30;
/// Pull requests that are shown of which the history tells otherwise than the forge.
const DIFFERENCES: usize = 5;
/// Findings of one of them.
const FINDINGS: usize = 3;

pub fn backtest(page: &mut PageWriter, report: &BacktestReport) {
    let noun = if report.pulls { "pull request" } else { "commit" };
    if report.judged == 0 && report.changes == 0 {
        page.line(&format!("there is no {noun} that the guards could judge"));
        notices(page, &report.notices);
        return;
    }
    headline(page, report, noun);
    page.gap();
    makers(page, report);
    rules(page, report);
    triage(page, report);
    for change in report.stopped.iter().take(SHOWN) {
        stopped(page, change);
    }
    let left = report.stopped.len().saturating_sub(SHOWN);
    if left > 0 {
        page.line(&format!("… and {left} more: --format json and --page have all"));
    }
    page.gap();
    unfinished(page, report.ended_by, report.judged + report.failed, report.changes);
    if report.failed > 0 {
        page.line(&format!("{} could not be judged: a guard failed", format_units::count(report.failed, noun)));
    }
    page.line(&page.paint(DIM, "judged by the rules of today, not by those of their time"));
    notices(page, &report.notices);
}

fn headline(page: &mut PageWriter, report: &BacktestReport, noun: &str) {
    let judged = format_units::count(report.judged, noun);
    let took = format_units::time(report.micros, page.look.unicode);
    let resumed = match report.resumed {
        0 => String::new(),
        number => format!(", {number} of them earlier"),
    };
    page.line(&format!("judged {judged} in {took}{resumed}"));
    let OutcomeCounts { kept, reverted, mended, closed, undecided } = report.rejected;
    let mut parts = Vec::new();
    if report.pulls {
        parts.push(format!("{closed} closed by yourselves"));
        parts.push(format!("{} reverted or fixed", reverted + mended));
        parts.push(format!("{kept} merged and kept"));
    } else {
        parts.push(format!("{reverted} reverted"));
        parts.push(format!("{mended} fixed within a week"));
        parts.push(format!("{kept} kept"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} perhaps still open"));
    }
    let stopped = page.paint(BOLD, &format!("would have stopped {}", report.rejected.sum()));
    page.line(&format!("{stopped}: {}", parts.join(", ")));
    report.odds.iter().for_each(|odds| odds_line(page, odds));
    if let Some(forge) = &report.forge {
        forge_lines(page, forge);
    }
}

fn forge_lines(page: &mut PageWriter, forge: &BacktestForge) {
    let BacktestForge { told, unknown, settled, differences, ended_by } = forge;
    let what = format!("answered for {told}, {unknown} unknown; settled {settled} that the history left open");
    page.field("forge", &format!("{what}, and contradicts it for {}: the forge counts", differences.len()));
    for difference in differences.iter().take(DIFFERENCES) {
        let ForgeDifference { number, history, forge } = difference;
        page.line(&format!("  {number} is {} there, and {} by the history", forge.as_str(), history.as_str()));
    }
    let left = differences.len().saturating_sub(DIFFERENCES);
    if left > 0 {
        page.line(&format!("  … and {left} more: --format json has all"));
    }
    if let Some(why) = ended_by {
        page.line(&page.paint(YELLOW, &format!("{why}: {unknown} are unknown; the same command continues from here")));
    }
}

fn odds_line(page: &mut PageWriter, odds: &OutcomeOdds) {
    let what = match odds.bad {
        BadEnd::Closed => "closed without a merge",
        BadEnd::Undone => "reverted or fixed",
    };
    let share = |bad: usize, good: usize| 100.0 * bad as f64 / (bad + good) as f64;
    page.field(
        "odds",
        &format!(
            "{what}: {:.0} % of what would have been stopped, {:.0} % of the rest; odds ratio {:.1} (95 %: {:.1} to {:.1})",
            share(odds.rejected_bad, odds.rejected_good),
            share(odds.accepted_bad, odds.accepted_good),
            odds.ratio,
            odds.low,
            odds.high
        ),
    );
}

fn counts(style: anstyle::Style, of: &OutcomeCounts, pulls: bool) -> Vec<table::Cell> {
    let mut numbers = vec![of.sum(), of.undone(), of.kept];
    if pulls {
        numbers.insert(1, of.closed);
    }
    numbers.into_iter().map(|number| cell(style, format!("{number:>8}"))).collect()
}

fn heading(first: &str, pulls: bool) -> Vec<table::Cell> {
    let mut words = vec!["stopped", "undone", "kept"];
    if pulls {
        words.insert(1, "closed");
    }
    let words = words.into_iter().map(|word| cell(DIM, format!("{word:>8}")));
    [cell(DIM, first)].into_iter().chain(words).collect()
}

fn triage(page: &mut PageWriter, report: &BacktestReport) {
    let Some(triage) = &report.triage else { return };
    let (changes, proved) = (triage.changes.sum(), triage.proved.sum());
    let came = triage.proved.landed();
    page.line(&format!("harmless by proof: {proved} of {changes} that the guards accept, of which {came} came in"));
    for class in &triage.classes {
        let files = format_units::count(class.files, "file");
        page.field(class.class.as_str(), &format!("{files} of {}, {} whole changes", triage.files, class.proved.sum()));
    }
    page.gap();
}

fn makers(page: &mut PageWriter, report: &BacktestReport) {
    let mut rows = vec![heading("  made by", report.pulls)];
    for maker in &report.makers {
        let name = format!("  {} ({})", escape::inline(&maker.maker, 40), maker.all.sum());
        rows.push([cell(PLAIN, name)].into_iter().chain(counts(PLAIN, &maker.rejected, report.pulls)).collect());
    }
    table::table(page, &rows);
    page.gap();
}

fn rules(page: &mut PageWriter, report: &BacktestReport) {
    if report.rules.is_empty() {
        return;
    }
    let mut rows = vec![heading("  rule", report.pulls)];
    for rule in &report.rules {
        let name = format!("  {}/{}", escape::inline(&rule.guard, 64), escape::inline(&rule.rule, 64));
        rows.push([cell(PLAIN, name)].into_iter().chain(counts(PLAIN, &rule.rejected, report.pulls)).collect());
    }
    table::table(page, &rows);
    page.gap();
}

/// That not all was judged.
pub fn unfinished(page: &mut PageWriter, ended_by: Option<&str>, done: usize, all: usize) {
    if let Some(why) = ended_by {
        page.line(&page.paint(YELLOW, &format!("{why}: {done} of {all}; the same command continues from here")));
    }
}

/// As people name it.
pub fn change_name(change: &StoppedChange) -> String {
    match (change.kind, change.number) {
        (BacktestKind::Pull, Some(number)) => format!("#{number}"),
        (BacktestKind::MergeRequest, Some(number)) => format!("!{number}"),
        (BacktestKind::Commit | BacktestKind::Merge | BacktestKind::Pull | BacktestKind::MergeRequest, _) => {
            change.commit.to_string().chars().take(10).collect()
        }
    }
}

fn stopped(page: &mut PageWriter, change: &StoppedChange) {
    let style = match change.outcome {
        ChangeOutcome::Kept => RED,
        ChangeOutcome::Mended | ChangeOutcome::Reverted | ChangeOutcome::Closed => GREEN,
        ChangeOutcome::Undecided => DIM,
    };
    let name = change_name(change);
    let outcome = page.paint(style, change.outcome.as_str());
    let subject = escape::inline(&change.subject, 100);
    page.line(&format!("{} {outcome} {subject} ({})", page.paint(BOLD, &name), escape::inline(&change.maker, 40)));
    if let Some(url) = &change.url {
        page.line(&format!("  {}", page.paint(DIM, &escape::inline(url, 300))));
    }
    for found in change.findings.iter().take(FINDINGS) {
        let place = text::location(&found.finding);
        let rule = format!("{}/{}", escape::inline(&found.guard, 64), escape::inline(&found.finding.rule, 64));
        page.line(&format!("  {place} {rule}: {}", escape::inline(&found.finding.message, 300)));
    }
    let more = change.findings.len().saturating_sub(FINDINGS) + change.more;
    if more > 0 {
        page.line(&format!("  … and {more} more"));
    }
}
