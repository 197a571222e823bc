//! All runs: those at work by what they are at, then a list with its search, its conditions and its order.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::RunEnd;
use maud::{Markup, html};

use super::PageContext;
use super::list::{ListCursor, ListGroup, ListKey, ListSort, RunList};
use super::location::{Page, SourceLocation, anchor};
use super::text::{Tone, chip, count, inline, micros, short, thousands, time, usage};
use crate::view::{Phase, RunEndView, RunSummary, RunView};

/// Runs that are read at a glance.
const FEW: usize = 20;

/// A browser's own field for a date asks for a picture, and a file asks for nothing.
const DAY: &str = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

/// What runs at work are at.
const LANES: [(&str, Phase); 4] = [
    ("Waiting for an answer", Phase::Answer),
    ("Reading the patch", Phase::Patch),
    ("Guards are judging", Phase::Guards),
    ("Settling", Phase::Settle),
];

/// A run of the list.
#[derive(Debug, Clone)]
pub struct BoardRow {
    pub run: RunSummary,
    pub end: RunEndView,
    /// Below a plan: its steps, the first first.
    pub steps: Vec<BoardRow>,
}

/// How many runs there are, as far as they were counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    pub runs: usize,
    /// There are more than that.
    pub is_more: bool,
}

/// What the page of all runs shows.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// What the address asks for.
    pub list: RunList,
    pub rows: Vec<BoardRow>,
    /// Those at work, whatever the list shows.
    pub running: Vec<BoardRow>,
    /// Runs that fit the conditions, and those of them that were accepted.
    pub fitting: Counted,
    pub accepted: Counted,
    /// What can be chosen.
    pub choices: BTreeMap<ListKey, Vec<String>>,
    /// Where the pages before and behind this one begin.
    pub previous: Option<ListCursor>,
    pub next: Option<ListCursor>,
}

impl Board {
    /// All runs of a file.
    pub fn of_views(runs: &[RunView<'_>]) -> Self {
        let row = |run: &RunView<'_>| BoardRow { run: run.summary(), end: run.end.clone(), steps: Vec::new() };
        let rows: Vec<BoardRow> = runs.iter().map(row).collect();
        let is_running = |row: &&BoardRow| matches!(row.end, RunEndView::Running(_));
        let counted = |runs: usize| Counted { runs, is_more: false };
        let values = |key: ListKey| {
            let all: BTreeSet<&str> = rows.iter().flat_map(|row| values_of(row, key)).collect();
            (key, all.into_iter().filter(|value| !value.is_empty()).map(str::to_owned).collect::<Vec<_>>())
        };
        Board {
            running: rows.iter().filter(is_running).cloned().collect(),
            fitting: counted(rows.len()),
            accepted: counted(rows.iter().filter(|row| Tone::from(&row.end) == Tone::Good).count()),
            choices: ListKey::ALL.into_iter().map(values).collect(),
            rows,
            ..Board::default()
        }
    }
}

/// What a row has of a key.
fn values_of(row: &BoardRow, key: ListKey) -> Vec<&str> {
    match key {
        ListKey::State => vec![row.end.as_str()],
        ListKey::Repository => vec![&row.run.repository],
        ListKey::Person => vec![&row.run.person],
        ListKey::Machine => vec![&row.run.machine],
        ListKey::Agent => vec![&row.run.agent],
        ListKey::Provider => vec![&row.run.provider],
        ListKey::Guard => row.run.guards.iter().map(String::as_str).collect(),
    }
}

pub fn board(context: &PageContext<'_>, board: &Board) -> Markup {
    let conditions = board.list.conditions();
    html! {
        h1 { "Runs" }
        p.lead {
            (counted(board.fitting)) ", " (thousands(board.accepted.runs as u64)) @if board.accepted.is_more { "+" } " accepted"
            @if !board.running.is_empty() { ", " (board.running.len()) " at work" }
        }
        @if !board.running.is_empty() { (lanes(context, &board.running)) }
        @if board.rows.is_empty() && conditions.is_empty() && board.list.cursor.is_none() {
            p.empty { "No run is recorded here. " code { "host run --task TEXT" } " makes one." }
        } @else {
            @if board.fitting.runs > FEW || !conditions.is_empty() || board.list != RunList::default() { (find(context, board)) }
            @if board.rows.is_empty() { p.empty { "No run fits." } }
            ol.runs #run-list { (rows(context, board)) }
            (pager(context, board))
        }
    }
}

fn counted(counted: Counted) -> String {
    match counted.is_more {
        true => format!("more than {}", count(counted.runs, "run", "runs")),
        false => count(counted.runs, "run", "runs"),
    }
}

fn lanes(context: &PageContext<'_>, running: &[BoardRow]) -> Markup {
    let at = |row: &BoardRow| match row.end {
        RunEndView::Running(phase) => phase.unwrap_or(Phase::Answer),
        RunEndView::Interrupted | RunEndView::Ended(_) => Phase::Settle,
    };
    html! {
        div.lanes {
            @for (name, phase) in LANES {
                @let here: Vec<_> = running.iter().filter(|row| at(row) == phase).collect();
                section.lane aria-label=(name) {
                    h2 { (name) " " span.quiet { (here.len()) } }
                    @for row in here {
                        a.card href=(context.place.href(&Page::Run(row.run.id.clone()))) {
                            strong { (short(row.run.name(), 120)) }
                            span.quiet { "round " (row.run.rounds.keys().next_back().unwrap_or(&1)) " · " (provider_and_model(&row.run)) }
                        }
                    }
                }
            }
        }
    }
}

/// A form that a server answers, and that the script of a file answers where there is no server.
fn find(context: &PageContext<'_>, board: &Board) -> Markup {
    let is_file = matches!(context.place, SourceLocation::File);
    let list = &board.list;
    let chosen = |value: &str, now: &str| (value == now).then_some("");
    html! {
        form.find #find role="search" aria-label="Runs" method="get" action=[(!is_file).then(|| context.place.href(&Page::Board))] hidden[is_file] {
            label.wide { "Find " input #find-text name="q" type="search" autocomplete="off" value=(list.words); }
            @for (key, values) in board.choices.iter().filter(|(key, values)| values.len() > 1 || list.chosen.contains_key(key)) {
                @let now = list.chosen.get(key).map_or("", String::as_str);
                label { (key.label()) " "
                    @let shown = |value: &str| match matches!(key, ListKey::State) {
                        true => RunEnd::from_name(value).map_or(value, |end| end.words()).to_owned(),
                        false => value.to_owned(),
                    };
                    select name=(key.as_str()) {
                        option value="" { "all" }
                        @for value in values { option value=(value) selected=[chosen(value, now)] { (inline(&shown(value), 60)) } }
                        // Of runs that are older than what can be chosen.
                        @if !now.is_empty() && !values.iter().any(|value| value == now) { option value=(now) selected { (inline(&shown(now), 60)) } }
                    }
                }
            }
            label { "From " input name="since" pattern=(DAY) placeholder="2026-11-28" size="10" value=[list.since.map(|day| day.to_string())]; }
            label { "To " input name="until" pattern=(DAY) placeholder="2026-11-28" size="10" value=[list.until.map(|day| day.to_string())]; }
            label { "Sort " select name="sort" {
                @for sort in ListSort::ALL { option value=(sort.as_str()) selected=[chosen(sort.as_str(), list.sort.as_str())] { (sort.as_str()) } }
            } }
            label { "Group by " select name="group" {
                @for group in ListGroup::ALL { option value=(group.as_str()) selected=[chosen(group.as_str(), list.group.as_str())] { (group.as_str()) } }
            } }
            @if !is_file { button type="submit" { "Show" } }
            span.quiet #find-count role="status" {}
        }
        ul.conditions #find-conditions aria-label="Conditions" {
            @for (words, without) in list.conditions() {
                li { a href=(address(context, &without)) { (inline(&words, 80)) " " span aria-hidden="true" { "×" } span.hide { ": take it away" } } }
            }
            @if list.conditions().len() > 1 { li { a href=(context.place.href(&Page::Board)) { "all runs" } } }
        }
    }
}

/// The address of a list at a server.
fn address(context: &PageContext<'_>, list: &RunList) -> String {
    let (page, query) = (context.place.href(&Page::Board), list.query());
    if query.is_empty() { page } else { format!("{page}?{query}") }
}

fn pager(context: &PageContext<'_>, board: &Board) -> Markup {
    let to = |cursor: &ListCursor| address(context, &RunList { cursor: Some(cursor.clone()), ..board.list.clone() });
    let (before, behind) = match board.list.sort {
        ListSort::Newest => ("Newer", "Older"),
        ListSort::Oldest => ("Older", "Newer"),
        ListSort::Longest => ("Longer", "Shorter"),
    };
    html! {
        @if matches!(context.place, SourceLocation::File) {
            nav.pager #find-pages aria-label="Pages of the list" hidden {
                button type="button" #find-newer { "Previous" } button type="button" #find-older { "Next" }
            }
        } @else if board.previous.is_some() || board.next.is_some() {
            nav.pager aria-label="Pages of the list" {
                @if let Some(cursor) = &board.previous { a.button rel="prev" href=(to(cursor)) { (before) } }
                @if let Some(cursor) = &board.next { a.button rel="next" href=(to(cursor)) { (behind) } }
            }
        }
    }
}

/// The rows, with a heading where a day begins.
fn rows(context: &PageContext<'_>, board: &Board) -> Markup {
    let day = |row: &BoardRow| row.run.began.get(..10).unwrap_or("an unknown day").to_owned();
    let by_day = board.list.group == ListGroup::Day && board.list.sort != ListSort::Longest && board.fitting.runs > FEW;
    html! {
        @for (at, row) in board.rows.iter().enumerate() {
            @let begins = at == 0 || day(&board.rows[at - 1]) != day(row);
            @if by_day && begins { li.day { h2 { (inline(&day(row), 20)) " UTC" } } }
            (row_of(context, row, false))
            @for step in &row.steps { (row_of(context, step, true)) }
        }
    }
}

fn row_of(context: &PageContext<'_>, row: &BoardRow, is_step: bool) -> Markup {
    let run = &row.run;
    // The script of a file finds and sorts by these; a server does so itself.
    let data = matches!(context.place, SourceLocation::File).then_some(());
    let guards = data.map(|()| run.guards.iter().map(String::as_str).collect::<Vec<_>>().join(" "));
    let steps_of = data.filter(|()| !run.plan.is_empty()).map(|()| anchor(&run.plan));
    html! {
        li.run.step[is_step] id=(format!("b-{}", anchor(&run.id))) data-state=[data.map(|()| row.end.as_str())]
            data-provider=[data.map(|()| &run.provider)] data-guard=[guards.filter(|guards| !guards.is_empty())]
            data-plan=[steps_of] data-took=[data.and(run.micros)] {
            div.state { (chip(Tone::from(&row.end), row.end.words())) }
            div.what {
                a.title href=(context.place.href(&Page::Run(run.id.clone()))) { (short(run.name(), 160)) }
                p.quiet {
                    @let who = [&run.repository, &run.person, &run.machine, &run.agent];
                    @for name in who.into_iter().filter(|name| !name.is_empty()) { (inline(name, 60)) " · " }
                    (provider_and_model(run))
                    @if !run.step.is_empty() { " · step " (inline(&run.step, 60)) }
                    " · " code { (inline(end_of(&run.id), 40)) }
                }
            }
            div.rounds aria-label="Rounds" role="group" {
                @for (number, end) in &run.rounds {
                    @let tone = Tone::from(*end);
                    span.dot.(tone.class()) title=(format!("round {number}: {}", end.as_str())) { (tone.mark()) }
                }
            }
            div.spent {
                @if let Some(took) = run.micros { span { (micros(took)) } }
                @if let Some(spent) = usage(&run.usage) { span.quiet { (spent) } }
            }
            div.when { (time(&run.began)) }
        }
    }
}

/// The end of the id, which differs between runs of the same hour.
pub(super) fn end_of(id: &str) -> &str {
    let start = id.char_indices().rev().nth(7).map_or(0, |(at, _)| at);
    &id[start..]
}

fn provider_and_model(run: &RunSummary) -> Markup {
    html! {
        @if run.provider.is_empty() { "no provider" } @else { (inline(&run.provider, 60)) }
        @if !run.model.is_empty() { " (" (inline(&run.model, 60)) ")" }
    }
}

/// As in the list.
pub fn provider(run: &RunView<'_>) -> Markup {
    provider_and_model(&run.summary())
}
