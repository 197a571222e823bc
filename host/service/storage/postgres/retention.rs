//! Removing old rows from PostgreSQL. Servers that remove at once remove each row once.

use deadpool_postgres::Client;

use crate::storage::retention::Kind;
use crate::storage::{Micros, Result};

/// Of the index alone: a million rows' bodies are not read.
pub async fn nth_newest(client: &Client, kind: Kind, number: u64) -> Result<Option<Micros>> {
    let sql = format!("select ts from {} order by ts desc offset $1 limit 1", kind.table());
    let statement = client.prepare_cached(&sql).await?;
    let offset = i64::try_from(number.saturating_sub(1)).unwrap_or(i64::MAX);
    Ok(client.query_opt(&statement, &[&offset]).await?.map(|row| Micros(row.get(0))))
}

pub async fn remove_before(client: &Client, kind: Kind, before: Micros, most: u32) -> Result<u64> {
    let sql = match kind {
        Kind::Observations | Kind::Events => format!(
            "delete from {table} where seq in (select seq from {table} where ts < $1 order by ts, seq limit $2)",
            table = kind.table()
        ),
        Kind::Runs => "delete from run where run in
            (select run from run where heard < $1 order by heard limit $2)"
            .to_owned(),
        Kind::Fingerprints => "delete from fingerprint where (repo, tree) in
            (select repo, tree from fingerprint where ts < $1 order by ts limit $2)"
            .to_owned(),
    };
    let statement = client.prepare_cached(&sql).await?;
    Ok(client.execute(&statement, &[&before.0, &i64::from(most)]).await?)
}
