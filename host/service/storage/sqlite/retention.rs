//! Removing old rows from SQLite.

use rusqlite::{Connection, OptionalExtension, params};

use crate::storage::retention::Kind;
use crate::storage::{Micros, Result};

/// Of the index alone: a million rows' bodies are not read.
pub fn nth_newest(connection: &Connection, kind: Kind, number: u64) -> Result<Option<Micros>> {
    let sql = format!("select ts from {} order by ts desc limit 1 offset ?1", kind.table());
    let mut statement = connection.prepare_cached(&sql)?;
    let offset = i64::try_from(number.saturating_sub(1)).unwrap_or(i64::MAX);
    Ok(statement.query_row([offset], |row| Ok(Micros(row.get(0)?))).optional()?)
}

pub fn remove_before(connection: &Connection, kind: Kind, before: Micros, most: u32) -> Result<u64> {
    let sql = match kind {
        Kind::Observations | Kind::Events => format!(
            "delete from {table} where seq in (select seq from {table} where ts < ?1 order by ts, seq limit ?2)",
            table = kind.table()
        ),
        Kind::Runs => "delete from run where run in
            (select run from run where heard < ?1 order by heard limit ?2)"
            .to_owned(),
        Kind::Fingerprints => "delete from fingerprint where (repo, tree) in
            (select repo, tree from fingerprint where ts < ?1 order by ts limit ?2)"
            .to_owned(),
    };
    Ok(connection.prepare_cached(&sql)?.execute(params![before.0, most])? as u64)
}
