//! What the runs came to, and which findings the next round fixed, at what cost.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::PageContext;
use super::board::provider;
use super::files::bar;
use super::location::Page;
use super::text::{Tone, amount, count, inline, left_out, micros};
use crate::view::{RoundEnd, RunEndView};

/// Rules of the table.
const ROWS: usize = 200;

pub fn statistics(context: &PageContext<'_>) -> Markup {
    let ended: Vec<_> = context
        .runs
        .iter()
        .filter(|run| !run.rounds.is_empty() && !matches!(run.end, RunEndView::Running(_)))
        .collect();
    let accepted: Vec<_> = ended.iter().filter(|run| Tone::from(&run.end) == Tone::Good).collect();
    let first =
        accepted.iter().filter(|run| run.rounds.first().is_some_and(|round| round.end == RoundEnd::Accepted)).count();
    let mending = &context.figures.mending;
    html! {
        h1 { "Statistics" }
        dl.facts.large {
            div { dt title="Runs that asked a provider" { "Runs ended" } dd { (ended.len()) } }
            div { dt { "Accepted" } dd { (accepted.len()) } }
            div { dt { "In the first round" } dd { (first) } }
            div { dt { "Findings" } dd { (mending.iter().map(|rule| rule.found).sum::<usize>()) } }
            div { dt { "Fixed next round" } dd { (mending.iter().map(|rule| rule.mended).sum::<usize>()) } }
        }
        h2 { "Which finding did the next round fix, and at what cost" }
        @if mending.is_empty() { p.empty { "No round was rejected for a finding." } } @else {
            div.scroll { table.data {
                thead { tr {
                    th { "Rule" } th.num { "Found" } th.num { "Fixed" } th.num { "Again" } th.num { "Not judged" } th.num { "No next round" }
                    th.num { "Answer" } th.num { "Tokens" } th.num { "Cost" }
                } }
                tbody { @for rule in mending.iter().take(ROWS) {
                    @let each = rule.rounds.max(1) as u64;
                    tr {
                        td { a href=(context.place.href(&Page::Guard(rule.guard.clone()))) { (inline(&rule.guard, 80)) } "/" (inline(&rule.rule, 80)) }
                        td.num { (rule.found) }
                        td.num { (bar(rule.mended, rule.found)) (rule.mended) }
                        td.num { (rule.again) } td.num { (rule.unjudged) } td.num { (rule.last) }
                        td.num { @if rule.micros > 0 { (micros(rule.micros / each)) } @else { "–" } }
                        td.num { @if rule.tokens > 0 { (amount(rule.tokens / each)) } @else { "–" } }
                        td.num { @if rule.cost > 0.0 { "$" (format!("{:.3}", rule.cost / each as f64)) } @else { "–" } }
                    }
                } }
            } }
            p.quiet { "Answer, tokens and cost are the mean of the rounds that fixed, as far as providers report them. A round that fixed several rules counts for each." }
        }
        (left_out(mending.len().saturating_sub(ROWS), "rule with fewer findings", "rules with fewer findings"))
        (providers(context))
    }
}

fn providers(context: &PageContext<'_>) -> Markup {
    let mut rows: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for run in context.runs.iter().filter(|run| !run.rounds.is_empty()) {
        let row = rows.entry(provider(run).into_string()).or_default();
        row.0 += 1;
        row.1 += usize::from(Tone::from(&run.end) == Tone::Good);
        row.2 += run.rounds.len();
    }
    html! {
        h2 { "Providers" }
        div.scroll { table.data {
            thead { tr { th { "Provider" } th.num { "Runs" } th.num { "Accepted" } th.num { "Rounds a run" } } }
            tbody { @for (name, (runs, accepted, rounds)) in rows {
                tr {
                    // Markup already.
                    td { (maud::PreEscaped(name)) }
                    td.num { (runs) } td.num { (bar(accepted, runs)) (accepted) }
                    td.num { (format!("{:.1}", rounds as f64 / runs.max(1) as f64)) }
                }
            } }
        } }
        p.quiet { (count(context.runs.iter().map(|run| run.rounds.len()).sum(), "round", "rounds")) " in all." }
    }
}
