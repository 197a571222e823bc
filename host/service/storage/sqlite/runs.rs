//! The list of runs in SQLite.

use guardhost_observer::wire::EventBatch;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::rows::events;
use crate::storage::runs::{Question, RunRow, StoredRunSummary, Value};
use crate::storage::{EventQuery, Micros, Result};

/// Events of one read of [`fill`].
const PART: u32 = 500;

/// Takes a batch into the row of its run. It is written in the transaction of the events themselves.
pub fn index(connection: &Connection, batch: &EventBatch, now: Micros) -> Result<()> {
    let mut kept = connection.prepare_cached("select repo, began, heard, body from run where run = ?1")?;
    let kept = kept
        .query_row([&batch.run], |row| {
            Ok((row.get(0)?, Micros(row.get(1)?), Micros(row.get(2)?), row.get::<_, String>(3)?))
        })
        .optional()?;
    let read = |(repo, began, heard, body): (String, Micros, Micros, String)| -> Result<RunRow> {
        Ok(RunRow { repo, began, heard, summary: serde_json::from_str(&body)? })
    };
    let Some(row) = RunRow::with_batch(kept.map(read).transpose()?, batch, now) else { return Ok(()) };
    let summary = &row.summary;
    connection
        .prepare_cached(
            "insert or replace into run (run, repo, began, heard, took, state, accepted, repository, person, machine, agent, provider,
             command, plan, words, body) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            batch.run,
            row.repo,
            row.began.0,
            row.heard.0,
            row.took(),
            summary.outcome,
            row.is_accepted(),
            summary.repository,
            summary.person,
            summary.machine,
            summary.agent,
            summary.provider,
            summary.command,
            summary.plan,
            summary.words(),
            row.body()?,
        ])?;
    let mut insert =
        connection.prepare_cached("insert or ignore into run_guard (guard, began, run) values (?1, ?2, ?3)")?;
    for guard in &summary.guards {
        insert.execute(params![guard, row.began.0, batch.run])?;
    }
    Ok(())
}

/// Of the events that a database of an earlier version has.
pub fn fill(connection: &Connection) -> Result<()> {
    let mut query = EventQuery { limit: PART, ..EventQuery::default() };
    loop {
        let found = events(connection, &query)?;
        let Some(last) = found.last().map(|event| event.seq) else { return Ok(()) };
        for (batch, at) in crate::storage::runs::batches(found) {
            index(connection, &batch, at)?;
        }
        query.after = last;
    }
}

pub fn find(connection: &Connection, question: &Question) -> Result<Vec<StoredRunSummary>> {
    let mut statement = connection.prepare_cached(&question.sql)?;
    let found =
        statement.query_map(params_from_iter(&question.values), |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    found
        .map(|found| {
            found
                .map_err(Into::into)
                .and_then(|(body, at)| Ok(StoredRunSummary { summary: serde_json::from_str(&body)?, at }))
        })
        .collect()
}

pub fn count(connection: &Connection, question: &Question) -> Result<usize> {
    let mut statement = connection.prepare_cached(&question.sql)?;
    let number: i64 = statement.query_row(params_from_iter(&question.values), |row| row.get(0))?;
    Ok(usize::try_from(number).unwrap_or_default())
}

pub fn values(connection: &Connection, question: &Question) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(&question.sql)?;
    let found = statement.query_map(params_from_iter(&question.values), |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        match self {
            Value::Text(text) => text.to_sql(),
            Value::Number(number) => number.to_sql(),
        }
    }
}
