//! The page of all runs, found by the storage: no event is read for it.

use std::collections::BTreeMap;

use guardhost_pages::{
    Board, BoardRow, Counted, ListCursor, ListGroup, ListKey, OtherPages, RunEndView, RunList, RunSummary,
};
use jiff::Timestamp;

use super::problem::Failure;
use crate::storage::runs::{self, COLUMNS, COUNTED, PAGE, QUIET, StoredRunSummary};
use crate::storage::{Micros, Storage};

/// The ends of runs that can be chosen beside those that are recorded.
const WITHOUT_END: [&str; 2] = ["running", "interrupted"];

/// What the address asks for, of one repository or all; and which other pages there is something to show on.
pub async fn board(storage: &dyn Storage, repo: Option<&str>, list: RunList) -> Result<(Board, OtherPages), Failure> {
    let now = storage.now().await?;
    let mut found = storage.find_runs(runs::rows(&list, repo, now)).await?;
    let is_more = found.len() > PAGE;
    found.truncate(PAGE);
    let backwards = list.cursor.as_ref().is_some_and(|cursor| cursor.is_backwards);
    if backwards {
        found.reverse();
    }
    let place = |found: Option<&StoredRunSummary>, is_backwards| {
        found.map(|found| ListCursor { at: found.at, run: found.summary.id.clone(), is_backwards })
    };
    // Whoever comes from a side finds the way back.
    let has_previous = if backwards { is_more } else { list.cursor.is_some() };
    let has_next = if backwards { list.cursor.is_some() } else { is_more };
    let previous = place(found.first(), true).filter(|_| has_previous);
    let next = place(found.last(), false).filter(|_| has_next);
    let mut rows: Vec<BoardRow> = found.into_iter().map(|found| row(found.summary, now)).collect();
    if list.group == ListGroup::Plan {
        for row in &mut rows {
            let steps = storage.find_runs(runs::steps(&row.run.id, repo)).await?;
            row.steps = steps.into_iter().map(|found| self::row(found.summary, now)).collect();
        }
    }
    let working = RunList { chosen: [(ListKey::State, "running".to_owned())].into(), ..RunList::default() };
    let running = storage.find_runs(runs::rows(&working, repo, now)).await?;
    let commands = storage.run_values(runs::values("command", repo)).await?;
    let has = |command: &str| commands.iter().any(|known| known == command);
    let board = Board {
        fitting: counted(storage.count_runs(runs::count(&list, repo, false, now)).await?),
        accepted: counted(storage.count_runs(runs::count(&list, repo, true, now)).await?),
        running: running.into_iter().map(|found| row(found.summary, now)).collect(),
        choices: choices(storage, repo).await?,
        list,
        rows,
        previous,
        next,
    };
    Ok((board, OtherPages { issues: has("fix"), pulls: has("pr") }))
}

fn row(run: RunSummary, now: Micros) -> BoardRow {
    let now = Timestamp::from_microsecond(now.0).unwrap_or_default();
    let end: RunEndView = run.end_view(now, QUIET);
    BoardRow { run, end, steps: Vec::new() }
}

fn counted(number: usize) -> Counted {
    Counted { runs: number.min(COUNTED), is_more: number > COUNTED }
}

async fn choices(storage: &dyn Storage, repo: Option<&str>) -> Result<BTreeMap<ListKey, Vec<String>>, Failure> {
    let mut choices = BTreeMap::new();
    for (key, column) in COLUMNS {
        choices.insert(key, storage.run_values(runs::values(column, repo)).await?);
    }
    let mut states: Vec<String> = WITHOUT_END.map(str::to_owned).into();
    states.extend(storage.run_values(runs::values("state", repo)).await?);
    choices.insert(ListKey::State, states);
    choices.insert(ListKey::Guard, storage.run_values(runs::guards(repo)).await?);
    Ok(choices)
}
