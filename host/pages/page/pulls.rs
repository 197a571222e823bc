//! Pull requests: what `host pr` did at the forge, newest first. The records say it in words; the queue of a forge is not among them.

use guardhost_core::change::{RecordedEnd, RunEnd, RunOutcome};
use guardhost_report::journal::RunCommand;
use maud::{Markup, html};

use super::PageContext;
use super::location::Page;
use super::text::{Tone, chip, count, inline, left_out, micros, short, time};
use crate::view::{RunEndView, RunView};

/// Rows of the table.
const ROWS: usize = 500;

/// The runs at a forge.
pub fn with_pulls<'a>(runs: &'a [RunView<'a>]) -> impl Iterator<Item = &'a RunView<'a>> {
    runs.iter().filter(|run| run.run.as_ref().is_some_and(|run| run.command == RunCommand::Pr))
}

pub fn pulls(context: &PageContext<'_>) -> Markup {
    let all: Vec<&RunView<'_>> = with_pulls(context.runs).collect();
    html! {
        h1 { "Pull requests" }
        @if all.is_empty() {
            p.empty { "No run was at a forge. " code { "host pr open RUN" } " opens a pull request." }
        } @else {
            p.lead { (count(all.len(), "visit to the forge", "visits to the forge")) ", newest first." }
            div.scroll { table.data {
                thead { tr { th {} th { "What for" } th { "What came of it" } th { "Commit" } th.num { "Took" } th { "When" } } }
                tbody { @for run in all.iter().take(ROWS) { tr {
                    td { (chip(Tone::from(&run.end), end_label(&run.end))) }
                    td.words { a href=(context.place.href(&Page::Run(run.id.clone()))) { (inline(run.title(), 200)) } }
                    td.words { @if let Some(said) = &run.rationale { (inline(said, 400)) } @else { span.quiet { "–" } } }
                    td { @if let Some(commit) = run.run.as_ref().and_then(|run| run.commit.as_deref()) { code title=(commit) { (short(commit, 10)) } } }
                    td.num { @if let Some(took) = run.micros { (micros(took)) } @else { "–" } }
                    td { (time(&run.began)) }
                } } }
            } }
            (left_out(all.len().saturating_sub(ROWS), "earlier visit", "earlier visits"))
        }
    }
}

/// A visit commits nothing: where nothing went wrong, that is its success.
fn end_label(end: &RunEndView) -> &str {
    match end {
        RunEndView::Ended(RecordedEnd::Known(RunEnd::Result(RunOutcome::NoChange))) => "done",
        end => end.words(),
    }
}
