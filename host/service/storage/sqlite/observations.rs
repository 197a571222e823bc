//! Observations in SQLite.

use guardhost_observer::wire::{NewObservation, Observation, Posted};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use uuid::Uuid;

use super::rows;
use crate::storage::{Cursor, LogPage, LogQuery, Micros, Result, StorageError, claims};

/// Keeps it, or finds it kept.
pub fn insert(connection: &Connection, mut new: NewObservation, now: Micros) -> Result<Posted> {
    let id = *new.id.get_or_insert_with(Uuid::now_v7);
    let body = serde_json::to_string(&new)?;
    let mut known = connection.prepare_cached("select ts, body, seq from observation where id = ?1")?;
    let kept = known
        .query_row([id.to_string()], |row| Ok((Micros(row.get(0)?), row.get::<_, String>(1)?, row.get(2)?)))
        .optional()?;
    if let Some((ts, kept, seq)) = kept {
        return match kept == body {
            true => Ok(Posted { id: seq, key: id, ts: ts.text(), duplicate: true }),
            false => Err(StorageError::IdReused(id.to_string())),
        };
    }
    if let Some(fence) = &new.claim {
        let row = rows::claim_row(connection, &new.repo, &fence.key)?;
        claims::check(&row, &new.repo, fence, now).map_err(StorageError::StaleFence)?;
    }
    connection
        .prepare_cached(
            "insert into observation (id, repo, ts, run_id, agent, commit_sha, body) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![id.to_string(), new.repo, now.0, new.run_id, new.agent, new.commit_sha, body])?;
    Ok(Posted { id: connection.last_insert_rowid(), key: id, ts: now.text(), duplicate: false })
}

/// Each combination of conditions is a statement of its own, so that each finds its index.
pub fn page(connection: &Connection, query: &LogQuery) -> Result<LogPage> {
    let mut conditions = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        conditions.push(condition.replace('?', &format!("?{}", values.len())));
    };
    if let Some(repo) = &query.repo {
        add("repo = ?", repo.clone().into());
    }
    if let Some(run) = &query.run_id {
        add("run_id = ?", run.clone().into());
    }
    if let Some(agent) = &query.agent {
        add("agent = ?", agent.clone().into());
    }
    if let Some(since) = query.since {
        add("ts >= ?", since.0.into());
    }
    if let Some(before) = query.before {
        add("ts <= ?", before.ts.0.into());
        let (ts, seq) = (before.ts.0, before.seq);
        // Two numbers of ours.
        conditions.push(format!("(ts < {ts} or seq < {seq})"));
    }
    let conditions = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
    let limit = i64::from(query.limit);
    let sql = format!(
        "select seq, ts, body from observation where {conditions} order by ts desc, seq desc limit {}",
        limit + 1
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params_from_iter(values), place_and_body)?;
    let mut found = found.collect::<rusqlite::Result<Vec<_>>>()?;
    let is_cut = found.len() > query.limit as usize;
    found.truncate(query.limit as usize);
    let next = found.last().filter(|_| is_cut).map(|(place, _)| *place);
    let rows = found.into_iter().map(|(place, body)| observation(place, &body)).collect::<Result<_>>()?;
    Ok(LogPage { rows, next })
}

pub fn by_commit(connection: &Connection, commit: &str, repo: Option<&str>) -> Result<Option<Observation>> {
    let mut statement = connection.prepare_cached(
        "select seq, ts, body from observation where commit_sha = ?1 and (?2 is null or repo = ?2) order by ts desc, seq desc limit 1",
    )?;
    let found = statement.query_row(params![commit, repo], place_and_body).optional()?;
    found.map(|(place, body)| observation(place, &body)).transpose()
}

fn place_and_body(row: &Row) -> rusqlite::Result<(Cursor, String)> {
    Ok((Cursor { seq: row.get(0)?, ts: Micros(row.get(1)?) }, row.get(2)?))
}

fn observation(place: Cursor, body: &str) -> Result<Observation> {
    Ok(Observation { id: Some(place.seq), ts: place.ts.text(), observed: serde_json::from_str(body)? })
}
