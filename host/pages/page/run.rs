//! One run: what it was asked for, how long each phase took, and every round by its stages.

use maud::{Markup, html};

use super::PageContext;
use super::board::provider;
use super::location::Page;
use super::text::{Tone, block, chip, inline, left_out, micros, short, time, usage};
use super::{issues, scrubber, steps, timeline};
use crate::view::{RunEndView, RunView};

pub fn run(context: &PageContext<'_>, run: &RunView<'_>) -> Markup {
    html! {
        p.crumbs { a href=(context.place.href(&Page::Board)) { "Runs" } " / " code { (inline(run.short_id(), 40)) } }
        div.head {
            h1 { (inline(run.title(), 300)) }
            (chip(Tone::from(&run.end), run.end.words()))
        }
        (facts(context, run))
        @if let (Some(why), RunEndView::Ended(_)) = (&run.rationale, &run.end) {
            blockquote.why { pre { (block(why, 2_000, 0)) } }
        }
        @if run.run.as_ref().is_some_and(|run| run.task.trim().lines().count() > 1) {
            details.task { summary { "The whole task" } pre { (block(run.run.as_ref().map_or("", |run| &run.task), 20_000, 0)) } }
        }
        @if run.unread > 0 { p.note { (run.unread) " records are not shown: they are of another version, or more than a page shows." } }
        @let steps = steps::in_plan(context, run);
        @if !run.issues.is_empty() { (issues::for_run(context, run)) }
        @if !steps.is_empty() { (self::steps::steps(context, &steps)) }
        @let earlier = run.rounds.len().saturating_sub(context.limits.rounds);
        (left_out(earlier, "earlier round", "earlier rounds"))
        @if !run.rounds.is_empty() { (timeline::timeline(context, run, &run.rounds[earlier..])) }
        @else if run.issues.is_empty() && steps.is_empty() { p.empty { "It asked no provider." } }
        @for round in &run.rounds[earlier..] { (scrubber::round(context, run, round)) }
    }
}

fn facts(context: &PageContext<'_>, run: &RunView<'_>) -> Markup {
    let request = run.run.as_ref();
    html! {
        dl.facts {
            div { dt { "Began" } dd { (time(&run.began)) } }
            @if let Some(took) = run.micros { div { dt { "Took" } dd { (micros(took)) } } }
            @if !run.rounds.is_empty() || request.is_none_or(|request| !request.provider.is_empty()) {
                div { dt { "Provider" } dd { (provider(run)) } }
            }
            @if let Some(spent) = usage(&run.usage()) { div { dt { "Spent" } dd { (spent) } } }
            @if let Some(branch) = &run.branch { div { dt { "Branch" } dd { code { (inline(branch, 120)) } } } }
            @if let Some(commit) = &run.commit { div { dt { "Commit" } dd { code title=(commit) { (short(commit, 12)) } } } }
            @if let Some(base) = request.and_then(|request| request.commit.as_deref()) {
                div { dt { "Base" } dd { code title=(base) { (short(base, 12)) } } }
            }
            @if let Some(plan) = request.and_then(|request| request.origin.plan.as_deref()) {
                div { dt { "Plan" } dd { a href=(context.place.href(&Page::Run(plan.to_owned()))) { "the run of the plan" } } }
            }
            @if let Some(resumed) = request.and_then(|request| request.origin.resumes.as_deref()) {
                div { dt { "Resumes" } dd { a href=(context.place.href(&Page::Run(resumed.to_owned()))) { "an earlier run" } } }
            }
            @if run.audit.is_some() {
                div { dt { "Audit" } dd { a href=(context.place.href(&Page::Audit(run.id.clone()))) { (if run.audit.as_ref().is_some_and(|pair| pair.is_pair) { "before and after" } else { "its scores" }) } } }
            }
        }
    }
}
