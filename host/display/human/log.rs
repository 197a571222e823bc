//! The list of recorded runs.

use std::collections::BTreeSet;
use std::ops::Bound;

use anstyle::Style;

use guardhost_core::change::{RecordedEnd, RunEnd};
use guardhost_core::error::FaultKind;
use guardhost_report::journal::{ListedRun, RunCommand, State};

use super::super::format_units::{self, when};
use super::super::labels;
use super::notes::notices;
use super::shared_run;
use super::stats;
use super::table::{self, Cell, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::{LogReport, LogRow, SharedRun, escape};

/// Minimum characters of an id: the time to the millisecond.
const MIN_ID: usize = 13;

/// The runs of this machine, and those of others that an observer tells of, each with the name of its machine then.
pub fn log(page: &mut PageWriter, report: &LogReport) {
    let rows = report.rows();
    if rows.is_empty() && report.rulings.is_none() {
        page.line("no runs are recorded here");
    }
    let ids = rows.iter().map(|row| match row {
        LogRow::Here(run) => run.run.as_str(),
        LogRow::Elsewhere(run) => run.run.as_str(),
    });
    let ids: BTreeSet<&str> = ids.collect();
    let here = report.shared.as_ref().map(|shared| shared.machine.as_deref().unwrap_or("here"));
    let cells: Vec<_> = rows
        .iter()
        .map(|row| match row {
            LogRow::Here(run) => self::row(run, &ids, here),
            LogRow::Elsewhere(run) => elsewhere(run, &ids),
        })
        .collect();
    table::table(page, &cells);
    unread(page, report.runs.iter().map(|run| run.unread).sum());
    if let Some(shared) = &report.shared {
        notices(page, &shared.notices);
    }
    if let Some(rulings) = &report.rulings {
        page.gap();
        stats::rulings(page, rulings);
        unread(page, report.unread_rulings);
    }
}

/// The steps of a plan.
pub fn runs(page: &mut PageWriter, runs: &[ListedRun]) {
    let ids: BTreeSet<&str> = runs.iter().map(|run| run.run.as_str()).collect();
    let rows: Vec<_> = runs.iter().map(|run| row(run, &ids, None)).collect();
    table::table(page, &rows);
    unread(page, runs.iter().map(|run| run.unread).sum());
}

fn row(run: &ListedRun, ids: &BTreeSet<&str>, machine: Option<&str>) -> Vec<Cell> {
    let commit = run.commit.as_deref().unwrap_or_default();
    let plan = match run.step_of() {
        Some((plan, step)) => {
            let plan: String = escape::inline(plan, 64).chars().take(MIN_ID).collect();
            format!("step {} of {plan}", escape::inline(step, 64))
        }
        None => String::new(),
    };
    let (when, task) = match &run.created_at {
        Some(created) => (when(created), run.task.as_deref().unwrap_or_default()),
        None => (String::new(), "(killed before its first record)"),
    };
    let command = run.command.as_ref().map(RunCommand::as_str).unwrap_or_default();
    vec![
        cell(BOLD, unique(&run.run, ids)),
        cell(DIM, when),
        cell(DIM, machine.map(|machine| escape::inline(machine, 40)).unwrap_or_default()),
        cell(PLAIN, escape::inline(command, 12)),
        cell(DIM, plan),
        cell(colour(run), escape::inline(&labels::ending(run), 24)),
        cell(DIM, labels::rounds(run).unwrap_or_default()),
        cell(CYAN, escape::inline(commit, 10).chars().take(10).collect::<String>()),
        cell(PLAIN, escape::inline(task, 200)),
    ]
}

/// Rounds are not told of.
fn elsewhere(run: &SharedRun, ids: &BTreeSet<&str>) -> Vec<Cell> {
    let plan = match &run.step {
        Some(step) => format!("step {}", escape::inline(step, 64)),
        None => String::new(),
    };
    let ten = |text: &str| escape::inline(text, 10).chars().take(10).collect::<String>();
    vec![
        cell(BOLD, escape::inline(&unique(&run.run, ids), 64)),
        cell(DIM, when(&run.ended_at)),
        cell(CYAN, shared_run::machine(run)),
        cell(PLAIN, escape::inline(&run.agent, 12)),
        cell(DIM, plan),
        cell(shared_run::colour(run.ending), shared_run::ending(run.ending)),
        cell(DIM, ""),
        cell(CYAN, run.commit.as_deref().map(ten).unwrap_or_default()),
        cell(PLAIN, escape::inline(run.title.as_deref().unwrap_or_default(), 200)),
    ]
}

pub(super) fn colour(run: &ListedRun) -> Style {
    match (run.state, run.outcome.as_ref()) {
        (State::Running, _) => CYAN,
        (State::Interrupted, _) | (State::Ended, None) => YELLOW,
        (State::Ended, Some(end)) if end.is_accepted() => GREEN,
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(FaultKind::Interrupted)))) => YELLOW,
        (State::Ended, Some(_)) => RED,
    }
}

/// The shortest beginning of the id that no other listed run has: in the order of ids, none shares more with it than its neighbours.
fn unique(id: &str, all: &BTreeSet<&str>) -> String {
    let (before, behind) = ((Bound::Unbounded, Bound::Excluded(id)), (Bound::Excluded(id), Bound::Unbounded));
    let others = [all.range::<str, _>(before).next_back(), all.range::<str, _>(behind).next()];
    let shared = |other: &&str| id.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let needed = others.into_iter().flatten().map(shared).max().map_or(0, |shared| shared + 1);
    id.chars().take(needed.max(MIN_ID)).collect()
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
