//! The list of recorded runs.

use anstyle::Style;

use guardhost_core::change::{RecordedEnd, RunEnd};
use guardhost_core::error::Kind;
use guardhost_report::journal::{History, State};

use super::super::{format_units, labels};
use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::escape;

/// Minimum characters of an id: the time to the millisecond.
const MIN_ID: usize = 13;

pub fn runs(page: &mut PageWriter, runs: &[History]) {
    if runs.is_empty() {
        page.line("no runs are recorded here");
    }
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let commit = run.end().and_then(|end| end.result_commit_sha.as_deref()).unwrap_or_default();
            let plan = match run.step_of() {
                Some((plan, step)) => {
                    let plan: String = escape::inline(plan, 64).chars().take(MIN_ID).collect();
                    format!("step {} of {plan}", escape::inline(step, 64))
                }
                None => String::new(),
            };
            let (when, command, task) = match run.run() {
                Some((object, run)) => (when(&object.created_at), run.command.as_str(), run.task.as_str()),
                None => (String::new(), "", "(killed before its first record)"),
            };
            vec![
                cell(BOLD, unique(run, runs)),
                cell(DIM, when),
                cell(PLAIN, escape::inline(command, 12)),
                cell(DIM, plan),
                cell(colour(run), escape::inline(&labels::ending(run), 24)),
                cell(DIM, format_units::count(run.rounds() as usize, "round")),
                cell(CYAN, escape::inline(commit, 10).chars().take(10).collect::<String>()),
                cell(PLAIN, escape::inline(task, 200)),
            ]
        })
        .collect();
    table::table(page, &rows);
    unread(page, runs.iter().map(|run| run.unread).sum());
}

pub(super) fn colour(run: &History) -> Style {
    match (run.state(), run.end().and_then(|end| end.outcome.as_ref())) {
        (State::Running, _) => CYAN,
        (State::Interrupted, _) | (State::Ended, None) => YELLOW,
        (State::Ended, Some(end)) if end.is_accepted() => GREEN,
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(Kind::Interrupted)))) => YELLOW,
        (State::Ended, Some(_)) => RED,
    }
}

/// The shortest beginning of the id that no other listed run has.
fn unique(run: &History, all: &[History]) -> String {
    let others = all.iter().filter(|other| other.run != run.run);
    let shared = |other: &History| run.run.bytes().zip(other.run.bytes()).take_while(|(a, b)| a == b).count();
    let needed = others.map(shared).max().map_or(0, |shared| shared + 1);
    run.run.chars().take(needed.max(MIN_ID)).collect()
}

/// UTC, without fractions of a second.
pub(super) fn when(created_at: &str) -> String {
    let text = escape::inline(created_at, 40);
    match (text.get(..10), text.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time}Z"),
        _ => text,
    }
}

pub(super) fn unread(page: &mut PageWriter, lines: usize) {
    if lines > 0 {
        let label = page.paint(YELLOW, "note");
        let lines = format_units::count(lines, "line");
        page.labelled(
            &label,
            &format!("{lines} of the records could not be read: the run was killed, or a newer version wrote them"),
            PLAIN,
        );
    }
}
