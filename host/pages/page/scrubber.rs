//! One round, station by station. Without script each station opens by itself; with it, a slider goes from one to the next, and shows
//! the difference between any two.

use maud::{Markup, html};

use super::PageContext;
use super::place::{Page, anchor};
use super::text::{Tone, block, bytes, chip, count, inline, micros, usage};
use super::{change, guards};
use crate::view::{RoundView, RunView, Station, StationState, StationView};

pub fn id(run: &RunView<'_>, round: &RoundView<'_>) -> String {
    format!("round-{}-{}", anchor(&run.id), round.number)
}

pub fn round(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>) -> Markup {
    let own = id(run, round);
    // Stations that the round did not need are no places to stop at.
    let shown: Vec<&StationView<'_>> = round.stations.iter().filter(|view| is_shown(view)).collect();
    html! {
        article.round id=(own) {
            header {
                h2 { "Round " (round.number) }
                (chip(Tone::from(round.end), round.end.as_str()))
                p.quiet {
                    @if let Some(provider) = &round.provider { (inline(provider, 60)) }
                    @if let Some(took) = round.answer_micros { " answered in " (micros(took)) }
                    @if let Some(spent) = usage(&round.usage) { ", " (spent) }
                }
                @if change::exists(round) {
                    a.button href=(context.place.href(&Page::Change(run.id.clone(), round.number))) { "Change and findings" }
                }
            }
            @if let Some(words) = &round.rationale { blockquote { (inline(words, 600)) } }
            div.scrub hidden {
                input type="range" min="0" max=(shown.len().saturating_sub(1)) value="0" aria-label=(format!("Station of round {}", round.number));
                label { "Compare with " select { option value="" { "nothing" }
                    @for view in &shown { @if view.text.is_some() { option value=(view.station.as_str()) { (view.station.as_str()) } } }
                } }
            }
            ol.stations {
                @for view in &shown {
                    li.(class(&view.state)) { a href=(format!("#{own}-{}", view.station.as_str())) data-station=(view.station.as_str()) {
                        span.mark aria-hidden="true" { (mark(&view.state)) } (view.station.as_str())
                    } }
                }
            }
            @for view in &shown { (station(context, run, round, view, &own)) }
            div.difference hidden tabindex="0" aria-live="polite" {}
        }
    }
}

/// Nothing is said about fixes and repairs that were not needed.
fn is_shown(view: &StationView<'_>) -> bool {
    match view.station {
        Station::Fixed | Station::Mended => view.file.is_some(),
        _ => true,
    }
}

fn class(state: &StationState) -> &'static str {
    match state {
        StationState::Passed => "good",
        StationState::Stopped(_) => "bad",
        StationState::Busy => "busy",
        StationState::NotReached => "none",
    }
}

fn mark(state: &StationState) -> &'static str {
    match state {
        StationState::Passed => "✓",
        StationState::Stopped(_) => "✕",
        StationState::Busy => "◔",
        StationState::NotReached => "·",
    }
}

fn station(
    context: &PageContext<'_>,
    run: &RunView<'_>,
    round: &RoundView<'_>,
    view: &StationView<'_>,
    own: &str,
) -> Markup {
    html! {
        details.station open[matches!(view.state, StationState::Stopped(_))] id=(format!("{own}-{}", view.station.as_str())) data-station=(view.station.as_str()) {
            summary {
                strong { (view.station.as_str()) } " " span.quiet { (view.station.meaning()) }
                @if let Some(counts) = view.counts.filter(|_| view.same_as.is_none()) {
                    span.counts title="Lines that differ from the text before it" { "+" (counts.added) " −" (counts.removed) }
                }
                @if let Some(file) = view.file { span.quiet.size { (bytes(file.bytes)) } }
            }
            @if let StationState::Stopped(why) = &view.state { p.stopped { (inline(why, 1_000)) } }
            @match view.station {
                Station::Verdicts => { (guards::verdicts(context, run, round)) }
                Station::Settle => { (settle(context, run, round, view)) }
                _ => { (text(context, view)) }
            }
        }
    }
}

fn text(context: &PageContext<'_>, view: &StationView<'_>) -> Markup {
    html! {
        @match (view.same_as, view.text, view.file, &view.state) {
            (Some(same), ..) => p.quiet data-same=(same.as_str()) { "The same bytes as " (same.as_str()) "." },
            (None, Some(text), ..) => pre.text.diffed[view.station.is_diff()] { (block(&text.text, context.limits.text, text.cut)) },
            (None, None, Some(_), _) => p.quiet { "Its text is not in this report." },
            (None, None, None, StationState::Busy) => p.quiet { "The run is here now." },
            (None, None, None, _) => p.quiet { "The round did not come this far." },
        }
    }
}

fn settle(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>, view: &StationView<'_>) -> Markup {
    let is_last = run.rounds.last().is_some_and(|last| last.number == round.number);
    html! {
        @match &run.commit {
            Some(commit) if is_last => p { "Committed as " code { (inline(commit, 64)) } "." },
            _ => p { (round.end.as_str()) @if view.file.is_some() { "; the next round was told:" } },
        }
        @if !round.applied_fixes.is_empty() {
            p { (count(round.applied_fixes.len(), "fix", "fixes")) " of guards:" }
            ul { @for fix in &round.applied_fixes { li { (inline(&fix.to_string(), 300)) } } }
        }
        @if view.file.is_some() { (text(context, view)) }
    }
}
