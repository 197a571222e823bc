//! Claims, events, fingerprints and tokens in SQLite.

use guardhost_observer::wire::{Appended, ClaimRequest, EventBatch, HeldClaim, RunEvent, StoredEvent, TreeFacts};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::runs;
use crate::storage::claims::{self, ClaimRow};
use crate::storage::{ClaimAnswer, ClaimRelease, EventQuery, Micros, ReleaseAnswer, Result, StorageError, TokenRow};

pub fn claim_row(connection: &Connection, repo: &str, key: &str) -> Result<ClaimRow> {
    let mut statement =
        connection.prepare_cached("select holder, fence, until from claim where repo = ?1 and key = ?2")?;
    let row = statement
        .query_row([repo, key], |row| {
            Ok(ClaimRow { holder: row.get(0)?, fence: unsigned(row, 1)?, until: Micros(row.get(2)?) })
        })
        .optional()?;
    Ok(row.unwrap_or_else(ClaimRow::none))
}

fn write_claim(connection: &Connection, repo: &str, key: &str, row: &ClaimRow) -> Result<()> {
    connection
        .prepare_cached(
            "insert into claim (repo, key, holder, fence, until) values (?1, ?2, ?3, ?4, ?5)
             on conflict (repo, key) do update set holder = ?3, fence = ?4, until = ?5",
        )?
        .execute(params![repo, key, row.holder, signed(row.fence), row.until.0])?;
    Ok(())
}

pub fn claim(connection: &Connection, request: &ClaimRequest, now: Micros) -> Result<ClaimAnswer> {
    let row = claim_row(connection, &request.repo, &request.key)?;
    let (answer, written) = claims::claim(&row, request, now);
    written.map(|row| write_claim(connection, &request.repo, &request.key, &row)).transpose()?;
    Ok(answer)
}

pub fn release(connection: &Connection, asked: &ClaimRelease, now: Micros) -> Result<ReleaseAnswer> {
    let row = claim_row(connection, &asked.repo, &asked.key)?;
    let (answer, written) = claims::release(&row, asked, now);
    written.map(|row| write_claim(connection, &asked.repo, &asked.key, &row)).transpose()?;
    Ok(answer)
}

pub fn claims(connection: &Connection, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>> {
    let mut statement = connection.prepare_cached(
        "select key, holder, fence, until from claim
         where repo = ?1 and (?2 is null or key = ?2) and holder <> '' and until > ?3 order by key limit 1000",
    )?;
    let found = statement.query_map(params![repo, key, now.0], |row| {
        let key: String = row.get(0)?;
        Ok((key, ClaimRow { holder: row.get(1)?, fence: unsigned(row, 2)?, until: Micros(row.get(3)?) }))
    })?;
    let found = found.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(found.iter().filter_map(|(key, row)| row.held(repo, key, now)).collect())
}

pub fn append(connection: &Connection, batch: &EventBatch, now: Micros) -> Result<Appended> {
    let mut insert = connection.prepare_cached(
        "insert into event (repo, run, n, ts, name, data) values (?1, ?2, ?3, ?4, ?5, ?6) on conflict do nothing",
    )?;
    let mut added = 0;
    for event in &batch.events {
        let data = event.data.to_string();
        let rows = insert.execute(params![batch.repo, batch.run, signed(event.n), now.0, event.name, data])?;
        added += rows as u64;
    }
    // What was kept already says nothing new.
    if added > 0 {
        runs::index(connection, batch, now)?;
    }
    let last = batch.events.iter().map(|event| event.n).max().unwrap_or_default();
    let mut newest = connection.prepare_cached("select seq from event where repo = ?1 and run = ?2 and n = ?3")?;
    let last_seq = newest
        .query_row(params![batch.repo, batch.run, signed(last)], |row| unsigned(row, 0))
        .optional()?
        .unwrap_or_default();
    Ok(Appended { added, last_seq })
}

pub fn events(connection: &Connection, query: &EventQuery) -> Result<Vec<StoredEvent>> {
    // Each has its index: by repository and run, by repository, or all.
    let condition = match (&query.repo, &query.run) {
        (Some(_), Some(_)) => "repo = ?2 and run = ?3",
        (Some(_), None) => "repo = ?2 and ?3 is null",
        (None, Some(_)) => "?2 is null and run = ?3",
        (None, None) => "?2 is null and ?3 is null",
    };
    let sql = format!(
        "select seq, ts, repo, run, n, name, data from event where seq > ?1 and {condition} order by seq limit ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![signed(query.after), query.repo, query.run, query.limit], |row| {
        let data: String = row.get(6)?;
        let event = StoredEvent {
            seq: unsigned(row, 0)?,
            ts: Micros(row.get(1)?).text(),
            repo: row.get(2)?,
            run: row.get(3)?,
            event: RunEvent { n: unsigned(row, 4)?, name: row.get(5)?, data: serde_json::Value::Null },
        };
        Ok((event, data))
    })?;
    found
        .map(|found| {
            let (mut stored, data) = found?;
            stored.event.data = serde_json::from_str(&data)?;
            Ok(stored)
        })
        .collect()
}

pub fn event_bounds(connection: &Connection) -> Result<(u64, u64)> {
    let mut statement = connection.prepare_cached(
        "select coalesce((select min(seq) from event), 0), coalesce((select max(seq) from event), 0)",
    )?;
    Ok(statement.query_row([], |row| Ok((unsigned(row, 0)?, unsigned(row, 1)?)))?)
}

pub fn put_fingerprint(connection: &Connection, facts: &TreeFacts, now: Micros) -> Result<()> {
    let body = serde_json::to_string(facts)?;
    connection
        .prepare_cached(
            "insert into fingerprint (repo, tree, ts, body) values (?1, ?2, ?3, ?4)
             on conflict (repo, tree) do update set ts = ?3, body = ?4",
        )?
        .execute(params![facts.repo, facts.tree, now.0, body])?;
    Ok(())
}

pub fn fingerprint(connection: &Connection, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>> {
    let mut statement = connection.prepare_cached(
        "select body from fingerprint where repo = ?1 and (?2 is null or tree = ?2) order by ts desc limit 1",
    )?;
    let body: Option<String> = statement.query_row(params![repo, tree], |row| row.get(0)).optional()?;
    body.map(|body| serde_json::from_str(&body).map_err(StorageError::from)).transpose()
}

pub fn add_token(connection: &Connection, token: &TokenRow, now: Micros) -> Result<()> {
    let repos = token.repos.as_ref().map(serde_json::to_string).transpose()?;
    connection
        .prepare_cached("insert into token (name, hash, repos, ts) values (?1, ?2, ?3, ?4)")?
        .execute(params![token.name, token.hash, repos, now.0])?;
    Ok(())
}

pub fn token(connection: &Connection, hash: &str) -> Result<Option<TokenRow>> {
    let mut statement = connection.prepare_cached("select name, hash, repos from token where hash = ?1")?;
    let found = statement.query_row([hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    found.map(token_row).transpose()
}

pub fn tokens(connection: &Connection) -> Result<Vec<TokenRow>> {
    let mut statement = connection.prepare_cached("select name, hash, repos from token order by name")?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    found.map(|row| token_row(row?)).collect()
}

pub fn remove_token(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.prepare_cached("delete from token where name = ?1")?.execute([name])? > 0)
}

fn token_row((name, hash, repos): (String, String, Option<String>)) -> Result<TokenRow> {
    Ok(TokenRow { name, hash, repos: repos.map(|repos| serde_json::from_str(&repos)).transpose()? })
}

/// SQLite's integers have a sign; numbers of ours stay far below 2^63.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// Writes a row. It is on disk when the writer answers; a disk without room says so.
pub fn try_write(connection: &Connection, now: Micros) -> Result<()> {
    let mut statement =
        connection.prepare_cached("insert or replace into readiness (id, at, room) values (1, ?1, zeroblob(?2))")?;
    statement.execute(params![now.0, signed(crate::storage::PROBED as u64)])?;
    Ok(())
}
