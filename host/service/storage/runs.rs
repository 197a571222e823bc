//! The list of runs: how a row is made of events, and the question that finds rows. Both storages ask it in the same words.

use std::time::Duration;

use guardhost_observer::wire::{EventBatch, StoredEvent};
use guardhost_pages::{ListKey, ListSort, RunEndView, RunList, RunSummary};
use jiff::Timestamp;

use super::{Micros, Result};

/// A run of which nothing was heard for so long is no longer at work. Providers may think for minutes.
pub const QUIET: Duration = Duration::from_secs(30 * 60);
/// Rows of a page.
pub const PAGE: usize = 100;
/// Runs at work that a page names, steps of one plan, and values of one kind that can be chosen.
pub const MOST: usize = 200;
/// Runs are counted to this number: beyond it nobody needs to know, and a count reads what it counts.
pub const COUNTED: usize = 10_000;

/// The columns that values can be chosen of, beside guards and states.
pub const COLUMNS: [(ListKey, &str); 5] = [
    (ListKey::Repository, "repository"),
    (ListKey::Person, "person"),
    (ListKey::Machine, "machine"),
    (ListKey::Agent, "agent"),
    (ListKey::Provider, "provider"),
];

/// What a storage keeps of a run.
#[derive(Debug, Clone)]
pub struct RunRow {
    pub repo: String,
    pub began: Micros,
    pub heard: Micros,
    pub summary: RunSummary,
}

impl RunRow {
    /// Takes a batch into the row that is there, if there is one. None: the run belongs to another repository. `now` is when the batch came.
    pub fn with_batch(kept: Option<RunRow>, batch: &EventBatch, now: Micros) -> Option<RunRow> {
        let mut row = match kept {
            Some(row) if row.repo != batch.repo => return None,
            Some(row) => row,
            None => RunRow::begin(batch, now),
        };
        let known = |new: &str, old: &mut String| {
            if !new.is_empty() {
                *old = new.chars().take(MOST).collect();
            }
        };
        known(&batch.from.repository, &mut row.summary.repository);
        known(&batch.from.person, &mut row.summary.person);
        known(&batch.from.machine, &mut row.summary.machine);
        known(&batch.from.agent, &mut row.summary.agent);
        for event in &batch.events {
            row.summary.add_event(&event.name, &event.data);
        }
        row.heard = row.heard.max(now);
        row.summary.heard = row.heard.text();
        Some(row)
    }

    /// Ordered by when it began by its own clock, but never later than it was heard of: runs that were sent late stand where they belong.
    fn begin(batch: &EventBatch, now: Micros) -> RunRow {
        let first = batch.events.first().and_then(|event| event.data.get("ts")?.as_str()?.parse::<Timestamp>().ok());
        let began = first.map_or(now, |first| now.min(Micros(first.as_microsecond())));
        let summary = RunSummary {
            id: batch.run.clone(),
            repository: batch.repo.clone(),
            began: began.text(),
            ..RunSummary::default()
        };
        RunRow { repo: batch.repo.clone(), began, heard: now, summary }
    }

    /// # Errors
    /// The row cannot be written as JSON.
    pub fn body(&self) -> Result<String> {
        Ok(serde_json::to_string(&self.summary)?)
    }

    /// Microseconds; 0 before the end.
    pub fn took(&self) -> i64 {
        self.summary.micros.map_or(0, |micros| i64::try_from(micros).unwrap_or(i64::MAX))
    }

    pub fn is_accepted(&self) -> bool {
        match self.summary.end_view(Timestamp::UNIX_EPOCH, Duration::ZERO) {
            RunEndView::Ended(end) => end.is_accepted(),
            RunEndView::Running(_) | RunEndView::Interrupted => false,
        }
    }
}

/// A row that was found.
#[derive(Debug, Clone)]
pub struct StoredRunSummary {
    pub summary: RunSummary,
    /// The number that the list is sorted by.
    pub at: i64,
}

/// A value that a question is asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Number(i64),
}

/// SQL with `$1` to `$n`, and their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub sql: String,
    pub values: Vec<Value>,
}

/// The conditions of a question.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
    /// The rows `g` of a guard lead to the runs.
    by_guard: bool,
}

impl Conditions {
    /// `sql` has a `?` for each value.
    fn add<const N: usize>(&mut self, sql: &str, values: [Value; N]) {
        let mut numbered = String::with_capacity(sql.len() + N);
        let mut at = self.values.len();
        for c in sql.chars() {
            if c == '?' {
                at += 1;
                numbered.push_str(&format!("${at}"));
            } else {
                numbered.push(c);
            }
        }
        self.sql.push(numbered);
        self.values.extend(values);
    }

    /// What the list asks for, but for its place in it.
    fn for_list(list: &RunList, repo: Option<&str>, now: Micros) -> Self {
        let mut all = Conditions::default();
        let text = |text: &str| Value::Text(text.to_owned());
        if let Some(repo) = repo {
            all.add("r.repo = ?", [text(repo)]);
        }
        for (key, value) in &list.chosen {
            let quiet = Value::Number(now.0.saturating_sub(i64::try_from(QUIET.as_micros()).unwrap_or(i64::MAX)));
            match (key, value.as_str()) {
                (ListKey::State, "running") => all.add("r.state = '' and r.heard >= ?", [quiet]),
                (ListKey::State, "interrupted") => all.add("r.state = '' and r.heard < ?", [quiet]),
                (ListKey::State, value) => all.add("r.state = ?", [text(value)]),
                (ListKey::Repository, value) => all.add("r.repository = ?", [text(value)]),
                (ListKey::Person, value) => all.add("r.person = ?", [text(value)]),
                (ListKey::Machine, value) => all.add("r.machine = ?", [text(value)]),
                (ListKey::Agent, value) => all.add("r.agent = ?", [text(value)]),
                (ListKey::Provider, value) => all.add("r.provider = ?", [text(value)]),
                (ListKey::Guard, value) => {
                    all.add("g.guard = ? and r.run = g.run", [text(value)]);
                    all.by_guard = true;
                }
            }
        }
        let (since, until) = list.span();
        since.into_iter().for_each(|since| all.add("r.began >= ?", [Value::Number(since)]));
        until.into_iter().for_each(|until| all.add("r.began < ?", [Value::Number(until)]));
        for word in list.words.to_lowercase().split_whitespace() {
            let escaped: String =
                word.chars().flat_map(|c| ["%_\\".contains(c).then_some('\\'), Some(c)]).flatten().collect();
            all.add("r.words like ? escape '\\'", [Value::Text(format!("%{escaped}%"))]);
        }
        if list.group == guardhost_pages::ListGroup::Plan {
            all.sql.push("r.plan = ''".to_owned());
        }
        all
    }

    /// From `from` on.
    fn text(&self) -> String {
        let tables = if self.by_guard { "run_guard g, run r" } else { "run r" };
        let conditions = if self.sql.is_empty() { String::new() } else { format!(" where {}", self.sql.join(" and ")) };
        format!("from {tables}{conditions}")
    }
}

/// One row more than a page, from the list's place on; backwards in the other order. Answers with `body`, and the number that it is sorted by.
pub fn rows(list: &RunList, repo: Option<&str>, now: Micros) -> Question {
    let mut conditions = Conditions::for_list(list, repo, now);
    let by = if conditions.by_guard { "g" } else { "r" };
    let (column, run, descends) = match list.sort {
        ListSort::Newest => (format!("{by}.began"), format!("{by}.run"), true),
        ListSort::Oldest => (format!("{by}.began"), format!("{by}.run"), false),
        ListSort::Longest => ("r.took".to_owned(), "r.run".to_owned(), true),
    };
    let backwards = list.cursor.as_ref().is_some_and(|cursor| cursor.is_backwards);
    let (order, than) = if descends == backwards { ("asc", ">") } else { ("desc", "<") };
    if let Some(cursor) = &list.cursor {
        let values = [Value::Number(cursor.at), Value::Text(cursor.run.clone())];
        conditions.add(&format!("({column}, {run}) {than} (?, ?)"), values);
    }
    let sql = format!(
        "select r.body, {column} {} order by {column} {order}, {run} {order} limit {}",
        conditions.text(),
        PAGE + 1
    );
    Question { sql, values: conditions.values }
}

/// How many fit, at most [`COUNTED`] and one.
pub fn count(list: &RunList, repo: Option<&str>, accepted: bool, now: Micros) -> Question {
    let mut conditions = Conditions::for_list(list, repo, now);
    if accepted {
        conditions.sql.push("r.accepted = 1".to_owned());
    }
    let sql = format!("select count(*) from (select 1 {} limit {}) counted", conditions.text(), COUNTED + 1);
    Question { sql, values: conditions.values }
}

/// The steps of a plan, the first first.
pub fn steps(plan: &str, repo: Option<&str>) -> Question {
    let mut conditions = Conditions::default();
    conditions.add("r.plan = ?", [Value::Text(plan.to_owned())]);
    if let Some(repo) = repo {
        conditions.add("r.repo = ?", [Value::Text(repo.to_owned())]);
    }
    let sql = format!("select r.body, r.began {} order by r.began, r.run limit {MOST}", conditions.text());
    Question { sql, values: conditions.values }
}

/// The values of a column, each once: the index is asked for the next value, as often as there are values.
pub fn values(column: &str, repo: Option<&str>) -> Question {
    let own = if repo.is_some() { " and repo = $1" } else { "" };
    let next = |than: &str| format!("select min({column}) from run where {column} > {than}{own}");
    values_of(&next("''"), &next("v.x"), repo)
}

/// The guards that rejected, each once.
pub fn guards(repo: Option<&str>) -> Question {
    let own = if repo.is_some() { " and exists (select 1 from run r where r.run = g.run and r.repo = $1)" } else { "" };
    let next = |than: &str| format!("select min(g.guard) from run_guard g where g.guard > {than}{own}");
    values_of(&next("''"), &next("v.x"), repo)
}

fn values_of(first: &str, next: &str, repo: Option<&str>) -> Question {
    let sql = format!(
        "with recursive v(x) as (select ({first}) union all select ({next}) from v where v.x is not null)
         select x from v where x is not null limit {MOST}"
    );
    Question { sql, values: repo.map(|repo| Value::Text(repo.to_owned())).into_iter().collect() }
}

/// Events that are kept already, as the batches in which they may have come: of one run, one after the other.
pub fn batches(events: Vec<StoredEvent>) -> Vec<(EventBatch, Micros)> {
    let mut batches: Vec<(EventBatch, Micros)> = Vec::new();
    for stored in events {
        let at = stored.ts.parse::<Timestamp>().map_or(Micros(0), |ts| Micros(ts.as_microsecond()));
        match batches.last_mut() {
            Some((batch, last)) if batch.run == stored.run && batch.repo == stored.repo => {
                batch.events.push(stored.event);
                *last = at.max(*last);
            }
            _ => {
                let (repo, run, events) = (stored.repo, stored.run, vec![stored.event]);
                batches.push((EventBatch { repo, run, events, from: Default::default() }, at));
            }
        }
    }
    batches
}
