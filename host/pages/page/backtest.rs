//! The page about the past: what the guards would have stopped, and what became of it.
//!
//! Subjects, paths and messages come from the repository: text of strangers.

use guardhost_report::{
    BacktestForge, BacktestKind, BacktestReport, BadEnd, ChangeOutcome, OutcomeCounts, OutcomeOdds, StoppedChange,
    StoppedFinding,
};
use maud::{Markup, html};

use super::text::{Tone, chip, count, inline, left_out, micros, time};

/// Stopped changes that are shown.
const SHOWN: usize = 2_000;

pub fn backtest(report: &BacktestReport) -> Markup {
    let (one, many) = if report.pulls { ("pull request", "pull requests") } else { ("commit", "commits") };
    html! {
        h1 { "What the gate would have done" }
        p.lead { "The guards of today, asked about " (count(report.judged, one, many)) " of the past, beside what became of each. The rules of their time were not used." }
        (facts(report))
        @for odds in &report.odds { (odds_text(odds)) }
        @if let Some(forge) = &report.forge { (forge_text(forge)) }
        @if let Some(why) = report.ended_by {
            p.note { "It ended early (" (why) "): " (report.judged + report.failed) " of " (report.changes) " were judged." }
        }
        @if report.failed > 0 { p.note { (count(report.failed, one, many)) " could not be judged: a guard failed." } }
        @for notice in &report.notices { p.note { (inline(notice, 600)) } }
        (table("Who made them", "Made by", report, report.makers.iter().map(|maker| {
            (html! { (inline(&maker.maker, 60)) " (" (maker.all.sum()) ")" }, maker.rejected)
        })))
        (table("What found it", "Rule", report, report.rules.iter().map(|rule| {
            (html! { (inline(&rule.guard, 80)) "/" (inline(&rule.rule, 80)) }, rule.rejected)
        })))
        h2 { "What would have been stopped" }
        @if report.stopped.is_empty() { p.empty { "Nothing." } } @else {
            p.quiet { "What was kept comes first: these are the alarms to read." }
            @for change in report.stopped.iter().take(SHOWN) { (stopped(change)) }
        }
        (left_out(report.stopped.len().saturating_sub(SHOWN), "change", "changes"))
    }
}

fn facts(report: &BacktestReport) -> Markup {
    let OutcomeCounts { kept, closed, undecided, .. } = report.rejected;
    html! {
        dl.facts.large {
            div { dt { "Judged" } dd { (report.judged) } }
            div { dt { "Would have been stopped" } dd { (report.rejected.sum()) } }
            @if report.pulls { div { dt { "Closed by yourselves" } dd { (closed) } } }
            div { dt { "Reverted or fixed" } dd { (report.rejected.undone()) } }
            div { dt { "Kept" } dd { (kept) } }
            @if undecided > 0 { div { dt { "Perhaps still open" } dd { (undecided) } } }
            div { dt { "Time" } dd { (micros(report.micros)) } }
        }
    }
}

fn forge_text(forge: &BacktestForge) -> Markup {
    html! {
        p.note { "The forge knows what became of " (count(forge.told, "pull request", "pull requests")) ", and counts before the history, which contradicts it for "
            (forge.differences.len()) " and left open " (forge.settled) "."
            @if forge.unknown > 0 { " It does not know " (forge.unknown) ": none of these counts as closed." }
            @if let Some(why) = forge.ended_by { " Not all could be asked (" (why) ")." }
        }
    }
}

fn odds_text(odds: &OutcomeOdds) -> Markup {
    let what = match odds.bad {
        BadEnd::Closed => "was closed without a merge",
        BadEnd::Undone => "was reverted or fixed",
    };
    html! {
        p { "Of what would have been stopped, " (odds.rejected_bad) " of " (odds.rejected_bad + odds.rejected_good) " " (what)
            "; of the rest, " (odds.accepted_bad) " of " (odds.accepted_bad + odds.accepted_good)
            ". Odds ratio " (format!("{:.1}", odds.ratio)) " (95 %: " (format!("{:.1}", odds.low)) " to " (format!("{:.1}", odds.high)) ")." }
    }
}

fn table(
    title: &str,
    first: &str,
    report: &BacktestReport,
    rows: impl Iterator<Item = (Markup, OutcomeCounts)>,
) -> Markup {
    html! {
        h2 { (title) }
        div.scroll { table.data {
            thead { tr {
                th { (first) } th.num { "Stopped" }
                @if report.pulls { th.num { "Closed" } }
                th.num { "Reverted or fixed" } th.num { "Kept" }
            } }
            tbody { @for (name, of) in rows { tr {
                td { (name) } td.num { (of.sum()) }
                @if report.pulls { td.num { (of.closed) } }
                td.num { (of.undone()) } td.num { (of.kept) }
            } } }
        } }
    }
}

fn stopped(change: &StoppedChange) -> Markup {
    let commit = change.commit.to_string();
    let name = match (change.kind, change.number) {
        (BacktestKind::Pull, Some(number)) => format!("#{number}"),
        (BacktestKind::MergeRequest, Some(number)) => format!("!{number}"),
        (BacktestKind::Commit | BacktestKind::Merge | BacktestKind::Pull | BacktestKind::MergeRequest, _) => {
            commit[..10].to_owned()
        }
    };
    // Red is what needs to be read: an alarm, or a defect that nobody saw.
    let tone = match change.outcome {
        ChangeOutcome::Kept => Tone::Bad,
        ChangeOutcome::Mended | ChangeOutcome::Reverted | ChangeOutcome::Closed => Tone::Good,
        ChangeOutcome::Undecided => Tone::Quiet,
    };
    // A link is made of the remote's address: of the web alone.
    let url = change.url.as_ref().filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    html! {
        details.file open {
            summary {
                @match url { Some(url) => a href=(url) { (name) }, None => code { (name) } }
                " " (chip(tone, change.outcome.as_str())) " " (inline(&change.subject, 200))
                " " span.quiet { (inline(&change.maker, 60)) ", " (time(&change.at)) }
            }
            @if let Some(by) = change.undone_by { p.quiet { "By " code { (&by.to_string()[..10]) } "." } }
            @for found in &change.findings { (finding(found)) }
            (left_out(change.more, "finding", "findings"))
        }
    }
}

fn finding(found: &StoppedFinding) -> Markup {
    let line = found.finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    html! {
        p.finding {
            @if let Some(path) = &found.finding.path { code { (inline(path, 300)) (line) } " " }
            span.quiet { (inline(&found.guard, 80)) "/" (inline(&found.finding.rule, 80)) ": " }
            (inline(&found.finding.message, 600))
        }
    }
}
