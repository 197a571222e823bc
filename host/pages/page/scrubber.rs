//! One round, stage by stage. Without script each stage opens by itself; with it, a slider goes from one to the next, and shows
//! the difference between any two.

use maud::{Markup, html};

use super::PageContext;
use super::location::{Page, anchor};
use super::text::{Tone, block, bytes, chip, count, inline, micros, usage};
use super::{account, change, guards};
use crate::view::{RoundView, RunView, Stage, StageState, StageView};

pub fn id(run: &RunView<'_>, round: &RoundView<'_>) -> String {
    format!("round-{}-{}", anchor(&run.id), round.number)
}

pub fn round(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>) -> Markup {
    let own = id(run, round);
    // Stages that the round did not need are no places to stop at.
    let shown: Vec<&StageView<'_>> = round.stages.iter().filter(|view| is_shown(view)).collect();
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
                input type="range" min="0" max=(shown.len().saturating_sub(1)) value="0" aria-label=(format!("Stage of round {}", round.number));
                label { "Compare with " select { option value="" { "nothing" }
                    @for view in &shown { @if view.text.is_some() { option value=(view.stage.as_str()) { (view.stage.as_str()) } } }
                } }
            }
            ol.stages {
                @for view in &shown {
                    li.(class(&view.state)) { a href=(format!("#{own}-{}", view.stage.as_str())) data-stage=(view.stage.as_str()) {
                        span.mark aria-hidden="true" { (mark(&view.state)) } (view.stage.as_str())
                    } }
                }
            }
            @for view in &shown { (stage(context, run, round, view, &own)) }
            div.difference hidden tabindex="0" aria-live="polite" {}
        }
    }
}

/// Nothing is said about fixes and repairs that were not needed, and of parts that there are not.
fn is_shown(view: &StageView<'_>) -> bool {
    match view.stage {
        Stage::Account | Stage::Fixed | Stage::Repaired | Stage::Part => view.file.is_some(),
        _ => true,
    }
}

fn class(state: &StageState) -> &'static str {
    match state {
        StageState::Passed => "good",
        StageState::Stopped(_) => "bad",
        StageState::Busy => "busy",
        StageState::NotReached => "none",
    }
}

fn mark(state: &StageState) -> &'static str {
    match state {
        StageState::Passed => "✓",
        StageState::Stopped(_) => "✕",
        StageState::Busy => "◔",
        StageState::NotReached => "·",
    }
}

fn stage(
    context: &PageContext<'_>,
    run: &RunView<'_>,
    round: &RoundView<'_>,
    view: &StageView<'_>,
    own: &str,
) -> Markup {
    html! {
        details.stage open[matches!(view.state, StageState::Stopped(_))] id=(format!("{own}-{}", view.stage.as_str())) data-stage=(view.stage.as_str()) {
            summary {
                strong { (view.stage.as_str()) } " " span.quiet { (view.stage.meaning()) }
                @if let Some(counts) = view.counts.filter(|_| view.same_as.is_none()) {
                    span.counts title="Lines that differ from the text before it" { "+" (counts.added) " −" (counts.removed) }
                }
                @if let Some(file) = view.file { span.quiet.size { (bytes(file.bytes)) } }
            }
            @if let StageState::Stopped(why) = &view.state { p.stopped { (inline(why, 1_000)) } }
            @match view.stage {
                Stage::Verdicts => { (guards::verdicts(context, run, round)) }
                Stage::Settle => { (settle(context, run, round, view)) }
                Stage::Account if !round.account.is_empty() => { (account::account(&round.account, context.limits.text)) }
                _ => { (text(context, view)) }
            }
        }
    }
}

fn text(context: &PageContext<'_>, view: &StageView<'_>) -> Markup {
    html! {
        @match (view.same_as, view.text, view.file, &view.state) {
            (Some(same), ..) => p.quiet data-same=(same.as_str()) { "The same bytes as " (same.as_str()) "." },
            (None, Some(text), ..) => pre.text.diffed[view.stage.is_diff()] tabindex="0" { (block(&text.text, context.limits.text, text.cut)) },
            (None, None, Some(_), _) => p.quiet { "Its text is not in this report." },
            (None, None, None, StageState::Busy) => p.quiet { "The run is here now." },
            (None, None, None, _) => p.quiet { "The round did not come this far." },
        }
    }
}

fn settle(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>, view: &StageView<'_>) -> Markup {
    let is_last = run.rounds.last().is_some_and(|last| last.number == round.number);
    html! {
        @match &run.commit {
            Some(commit) if is_last => p { "Committed as " code { (inline(commit, 64)) } "." },
            _ => p { (round.end.as_str()) @if view.file.is_some() { "; feedback for the next round:" } },
        }
        @if !round.applied_fixes.is_empty() {
            p { (count(round.applied_fixes.len(), "fix", "fixes")) " of guards:" }
            ul { @for fix in &round.applied_fixes { li { (inline(&fix.to_string(), 300)) } } }
        }
        @if view.file.is_some() { (text(context, view)) }
    }
}
