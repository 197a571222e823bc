//! All runs: those at work by the stage that they are at, then every one, newest first.

use std::collections::BTreeSet;

use guardhost_core::change::Usage;
use maud::{Markup, html};

use super::PageContext;
use super::location::{Page, anchor};
use super::text::{Tone, chip, count, inline, micros, short, time, usage};
use crate::view::{RunEndView, RunView, Stage};

/// Runs that are read at a glance.
const FEW: usize = 20;

/// The stages of a lane.
const LANES: [(&str, &[Stage]); 4] = [
    ("Waiting for an answer", &[Stage::Prompt, Stage::Reply]),
    ("Reading the patch", &[Stage::Mended, Stage::Account, Stage::Extracted, Stage::Sanitized, Stage::Candidate]),
    ("Guards are judging", &[Stage::Fixed, Stage::Verdicts]),
    ("Settling", &[Stage::Settle]),
];

pub fn board(context: &PageContext<'_>) -> Markup {
    let running: Vec<(&RunView<'_>, Option<Stage>)> = context
        .runs
        .iter()
        .filter_map(|run| match run.end {
            RunEndView::Running(stage) => Some((run, stage)),
            RunEndView::Interrupted | RunEndView::Ended(_) => None,
        })
        .collect();
    let good = context.runs.iter().filter(|run| Tone::from(&run.end) == Tone::Good).count();
    html! {
        h1 { "Runs" }
        p.lead {
            (count(context.runs.len(), "run", "runs")) ", " (good) " accepted"
            @if !running.is_empty() { ", " (running.len()) " at work" }
        }
        @if !running.is_empty() {
            div.lanes {
                @for (name, stages) in LANES {
                    @let here: Vec<_> = running.iter().filter(|(_, at)| stages.contains(&at.unwrap_or(Stage::Prompt))).collect();
                    section.lane aria-label=(name) {
                        h2 { (name) " " span.quiet { (here.len()) } }
                        @for (run, _) in here { (card(context, run)) }
                    }
                }
            }
        }
        @if context.runs.is_empty() {
            p.empty { "No run is recorded here. " code { "host run --task TEXT" } " makes one." }
        } @else {
            @let (states, providers) = (names(context, |run| run.end.as_str()), names(context, provider_name));
            @if context.runs.len() > FEW { (find(&states, &providers)) }
            ol.runs #run-list {
                @for run in context.runs {
                    @let (state, provider) = (at(&states, run.end.as_str()), at(&providers, provider_name(run)));
                    li id=(format!("b-{}", anchor(&run.id))) data-state=(state) data-provider=(provider) { (row(context, run)) }
                }
            }
        }
    }
}

/// What the runs are told apart by, each once.
fn names<'r>(context: &PageContext<'r>, of: impl Fn(&'r RunView<'r>) -> &'r str) -> Vec<&'r str> {
    context.runs.iter().map(of).collect::<BTreeSet<&str>>().into_iter().collect()
}

/// Its number in the list: pages say names of others as texts alone.
fn at(names: &[&str], name: &str) -> usize {
    names.binary_search(&name).unwrap_or(names.len())
}

/// The script shows it, and as many rows at a time as a person reads: without one, all rows stand there.
fn find(states: &[&str], providers: &[&str]) -> Markup {
    let choice = |label: &str, id: &str, names: &[&str]| {
        html! {
            label {
                (label) " "
                select id=(id) {
                    option value="" { "all" }
                    @for (at, name) in names.iter().enumerate() { option value=(at) { (inline(name, 60)) } }
                }
            }
        }
    };
    html! {
        form.find #find role="search" aria-label="Runs" hidden {
            label { "Find " input #find-text type="search" autocomplete="off"; }
            (choice("State", "find-state", states))
            (choice("Provider", "find-provider", providers))
            span.quiet #find-count role="status" {}
            button type="button" #find-newer { "Newer" }
            button type="button" #find-older { "Older" }
        }
    }
}

fn card(context: &PageContext<'_>, run: &RunView<'_>) -> Markup {
    html! {
        a.card href=(context.place.href(&Page::Run(run.id.clone()))) {
            strong { (short(run.title(), 120)) }
            span.quiet { "round " (run.rounds.last().map_or(1, |round| round.number)) " · " (provider(run)) }
        }
    }
}

fn row(context: &PageContext<'_>, run: &RunView<'_>) -> Markup {
    let spent = total(run);
    html! {
        div.state { (chip(Tone::from(&run.end), run.end.as_str())) }
        div.what {
            a.title href=(context.place.href(&Page::Run(run.id.clone()))) { (short(run.title(), 160)) }
            p.quiet {
                (provider(run))
                @if let Some(step) = run.run.as_ref().and_then(|run| run.origin.step.as_deref()) { " · step " (inline(step, 60)) }
                " · " code { (inline(run.short_id(), 40)) }
            }
        }
        div.rounds aria-label="Rounds" {
            @for round in &run.rounds {
                @let tone = Tone::from(round.end);
                span.dot.(tone.class()) title=(format!("round {}: {}", round.number, round.end.as_str())) { (tone.mark()) }
            }
        }
        div.spent {
            @if let Some(took) = run.micros { span { (micros(took)) } }
            @if let Some(spent) = usage(&spent) { span.quiet { (spent) } }
        }
        div.when { (time(&run.began)) }
    }
}

/// Who gave the last answer, or who was to be asked.
fn provider_name<'r>(run: &'r RunView<'r>) -> &'r str {
    let last = run.rounds.iter().rev().find_map(|round| round.provider.as_deref());
    let chain = run.run.as_ref().map(|run| run.provider.as_str()).unwrap_or("no provider");
    last.unwrap_or(chain)
}

pub fn provider(run: &RunView<'_>) -> Markup {
    let last = run.rounds.iter().rev().find(|round| round.provider.is_some());
    html! {
        (inline(provider_name(run), 60))
        @if let Some(model) = last.and_then(|round| round.model.as_deref()) { " (" (inline(model, 60)) ")" }
    }
}

/// The sum over all rounds; only what the providers report.
pub fn total(run: &RunView<'_>) -> Usage {
    let add = |a: Option<u64>, b: Option<u64>| a.map_or(b, |a| Some(a.saturating_add(b.unwrap_or_default())));
    run.rounds.iter().fold(Usage::default(), |sum, round| Usage {
        input_tokens: add(sum.input_tokens, round.usage.input_tokens),
        output_tokens: add(sum.output_tokens, round.usage.output_tokens),
        cost_usd: sum
            .cost_usd
            .map_or(round.usage.cost_usd, |cost| Some(cost + round.usage.cost_usd.unwrap_or_default())),
    })
}
