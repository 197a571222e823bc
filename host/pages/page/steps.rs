//! The steps of a plan, as a part of the page of its run.

use maud::{Markup, html};

use super::PageContext;
use super::location::Page;
use super::text::{Tone, chip, inline, micros, short};
use crate::view::RunView;

/// Of the runs that are known, those that were steps of this one, the first first.
pub fn in_plan<'a>(context: &'a PageContext<'_>, run: &RunView<'_>) -> Vec<&'a RunView<'a>> {
    let is_step = |step: &&RunView<'_>| {
        step.run.as_ref().is_some_and(|request| request.origin.plan.as_deref() == Some(run.id.as_str()))
    };
    // Runs are newest first.
    context.runs.iter().rev().filter(is_step).collect()
}

pub fn steps(context: &PageContext<'_>, steps: &[&RunView<'_>]) -> Markup {
    html! {
        h2 { "Steps" }
        div.scroll { table.data {
            thead { tr { th { "Step" } th {} th { "Task" } th.num { "Rounds" } th { "Commit" } th.num { "Took" } } }
            tbody { @for step in steps { tr {
                td { code { (inline(step.run.as_ref().and_then(|run| run.origin.step.as_deref()).unwrap_or_default(), 60)) } }
                td { (chip(Tone::from(&step.end), step.end.words())) }
                td.words { a href=(context.place.href(&Page::Run(step.id.clone()))) { (inline(step.title(), 200)) } }
                td.num { (step.rounds.len()) }
                td { @if let Some(commit) = &step.commit { code title=(commit) { (short(commit, 10)) } } @else { span.quiet { "–" } } }
                td.num { @if let Some(took) = step.micros { (micros(took)) } @else { "–" } }
            } } }
        } }
    }
}
