//! Guards: all of them, one of them, and what they said in a round.

use guardhost_core::change::Mode;
use guardhost_report::VerdictKind;
use maud::{Markup, html};

use super::PageContext;
use super::board::end_of;
use super::location::{Page, anchor};
use super::text::{Tone, amount, block, chip, count, inline, left_out, micros, short};
use crate::view::{GuardFigures, RoundView, RunView, percentile};

/// Verdicts of the strip, the newest.
const STRIP: usize = 60;
/// Rejections of a guard's page.
const LAST: usize = 12;

pub fn guards(context: &PageContext<'_>) -> Markup {
    let mut rows: Vec<_> = context.figures.guards.iter().collect();
    rows.sort_by_key(|(id, guard)| {
        (guard.judged.is_empty(), std::cmp::Reverse(guard.count(VerdictKind::Reject)), id.as_str())
    });
    html! {
        h1 { "Guards" }
        p.lead { (count(rows.len(), "guard", "guards")) " in " (count(context.runs.len(), "run", "runs")) }
        div.scroll { table.data {
            thead { tr { th { "Guard" } th { "What it promises" } th.num { "Judged" } th.num { "Rejected" } th.num { "Failed" } th.num { "Median time" } th.num { "99 % of times" } th.num { "Instructions" } } }
            tbody {
                @for (id, guard) in rows {
                    tr {
                        td {
                            @if guard.judged.is_empty() { (inline(id, 80)) } @else { a href=(context.place.href(&Page::Guard(id.clone()))) { (inline(id, 80)) } }
                        }
                        td.words { (inline(&guard.note.promise, 400)) }
                        td.num { (guard.concerned()) }
                        td.num { (share(guard.count(VerdictKind::Reject), guard.concerned())) }
                        td.num { (guard.count(VerdictKind::Error)) }
                        td.num { (percentile(&guard.micros, 50).map(micros).unwrap_or_default()) }
                        td.num { (percentile(&guard.micros, 99).map(micros).unwrap_or_default()) }
                        td.num { (percentile(&guard.fuel, 50).map(amount).unwrap_or_default()) }
                    }
                }
            }
        } }
    }
}

fn share(part: usize, whole: usize) -> Markup {
    html! { (part) @if part > 0 { " " span.quiet { (part * 100 / whole.max(1)) " %" } } }
}

pub fn guard(context: &PageContext<'_>, id: &str, guard: &GuardFigures<'_>) -> Markup {
    let figure =
        |sorted: &[u64], share, words: fn(u64) -> String| percentile(sorted, share).map_or("–".to_owned(), words);
    html! {
        p.crumbs { a href=(context.place.href(&Page::Guards)) { "Guards" } " / " (inline(id, 80)) }
        h1 { (inline(id, 80)) }
        @if !guard.note.promise.is_empty() { p.lead { (inline(&guard.note.promise, 600)) } }
        dl.facts {
            div { dt { "Judged" } dd { (count(guard.concerned(), "change", "changes")) } }
            div { dt { "Rejected" } dd { (share(guard.count(VerdictKind::Reject), guard.concerned())) } }
            div { dt { "Not applicable" } dd { (guard.count(VerdictKind::NotApplicable)) } }
            @if guard.reused > 0 { div { dt { "Reused" } dd { (guard.reused) } } }
            div { dt { "Failed" } dd { (guard.count(VerdictKind::Error)) } }
            div { dt { "Time" } dd { (figure(&guard.micros, 50, micros)) " median, " (figure(&guard.micros, 99, micros)) " at 99 %" } }
            div { dt { "Instructions" } dd { (figure(&guard.fuel, 50, amount)) " median, " (figure(&guard.fuel, 100, amount)) " most" } }
        }
        (strip(context, guard))
        h2 { "Last rejections" }
        @if guard.rejections.is_empty() { p.empty { "It rejected nothing." } }
        ul.rejections {
            @for (run, round, finding) in guard.rejections.iter().take(LAST) {
                @let page = Page::Change(run.id.clone(), *round);
                li {
                    p.rule {
                        strong { (inline(&finding.rule, 80)) } " "
                        @match &finding.path {
                            Some(path) => a href=(context.place.line(&page, path, finding.line)) { (inline(path, 200)) @if let Some(line) = finding.line { ":" (line) } },
                            None => a href=(context.place.href(&page)) { "the whole change" },
                        }
                        span.quiet { " · round " (round) " of " (short(run.title(), 80)) " · " code { (inline(end_of(&run.id), 40)) } }
                    }
                    p { (block(&finding.message, 600, 0)) }
                }
            }
        }
        (left_out(guard.rejections.len().saturating_sub(LAST), "older rejection", "older rejections"))
        @if !guard.note.rules.is_empty() {
            h2 { "Rules" }
            dl.rules { @for (rule, meaning) in &guard.note.rules { dt { code { (inline(rule, 80)) } } dd { (inline(meaning, 600)) } } }
        }
    }
}

/// A square a verdict, oldest first. Each has a mark too: colour is not all that differs.
fn strip(context: &PageContext<'_>, guard: &GuardFigures<'_>) -> Markup {
    let shown = &guard.judged[guard.judged.len().saturating_sub(STRIP)..];
    html! {
        section aria-label="Verdicts, oldest first" {
            h2 { "Verdicts " span.quiet { "oldest first" @if shown.len() < guard.judged.len() { ", the last " (shown.len()) } } }
            p.strip {
                @for judged in shown {
                    @let tone = Tone::from(judged.verdict);
                    @let page = Page::Change(judged.run.to_owned(), judged.round);
                    a.dot.(tone.class()) href=(context.place.href(&page)) title=(format!("{} in round {} of {}", judged.verdict.as_str(), judged.round, judged.run)) { (tone.mark()) }
                }
            }
        }
    }
}

/// What every guard said of the change of a round: those that block first, those that do not apply last.
pub fn verdicts(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>) -> Markup {
    let (mut guards, aside): (Vec<_>, Vec<_>) =
        round.guards.iter().partition(|guard| guard.verdict != VerdictKind::NotApplicable);
    guards.sort_by_key(|guard| match guard.verdict {
        VerdictKind::Reject => 0,
        VerdictKind::Error => 1,
        VerdictKind::Pass => 2,
        VerdictKind::NotApplicable => 3,
    });
    let page = Page::Change(run.id.clone(), round.number);
    html! {
        div.scroll { table.data.verdicts {
            thead { tr { th { "Verdict" } th { "Guard" } th { "Why" } th.num { "Time" } th.num { "Instructions" } } }
            tbody { @for guard in &guards { tr id=(format!("v-{}-{}-{}", anchor(&run.id), round.number, anchor(&guard.id))) {
                td { (chip(Tone::from(guard.verdict), guard.verdict.as_str())) @if guard.mode == Mode::Monitor { span.quiet { " monitored" } } }
                td { a href=(context.place.href(&Page::Guard(guard.id.clone()))) { (inline(&guard.id, 80)) } }
                td.words {
                    @if let Some(finding) = guard.findings.first() {
                        a href=(finding.path.as_deref().map_or_else(|| context.place.href(&page), |path| context.place.line(&page, path, finding.line))) {
                            (inline(finding.path.as_deref().unwrap_or("the change"), 120)) @if let Some(line) = finding.line { ":" (line) }
                        }
                        " " (inline(&finding.message, 200))
                        @if guard.findings.len() > 1 { span.quiet { " and " (guard.findings.len() - 1) " more" } }
                    } @else if let Some(reason) = &guard.reason {
                        @if let Some(code) = &guard.code { code { (inline(code, 60)) } " " }
                        span.quiet { (inline(reason, 200)) }
                    }
                    @if !guard.allowed.is_empty() { span.quiet { " " (count(guard.allowed.len(), "finding", "findings")) " allowed by a person" } }
                }
                td.num { @if guard.reused { span.quiet title="The verdict of an earlier run, in which the guard saw the same" { "reused" } } @else { (micros(guard.micros)) } }
                td.num { (amount(guard.fuel)) }
            } } }
        } }
        @if !aside.is_empty() {
            details.aside {
                summary { (count(aside.len(), "guard does", "guards do")) " not apply" }
                ul { @for guard in aside { li { (inline(&guard.id, 80)) span.quiet { " " (inline(guard.reason.as_deref().unwrap_or_default(), 200)) } } } }
            }
        }
    }
}
