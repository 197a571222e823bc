//! Events in PostgreSQL. Sequence numbers are drawn before a transaction commits, so one batch at a time is written: a reader that has
//! seen a number has then seen all below it.

use deadpool_postgres::{Client, GenericClient};
use guardhost_observer::wire::{Appended, EventBatch, RunEvent, StoredEvent};

use super::{clock, runs, signed, unsigned};
use crate::storage::{EventQuery, Micros, Result};

pub async fn append(client: &mut Client, batch: &EventBatch) -> Result<Appended> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("select pg_advisory_xact_lock(6719002)").await?;
    let now = clock(&*transaction).await?;
    let insert = transaction
        .prepare_cached(
            "insert into event (repo, run, n, ts, name, data) values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        )
        .await?;
    let mut added = 0;
    for event in &batch.events {
        let (n, data) = (signed(event.n), event.data.to_string());
        added += transaction.execute(&insert, &[&batch.repo, &batch.run, &n, &now.0, &event.name, &data]).await?;
    }
    // What was kept already says nothing new.
    if added > 0 {
        runs::index(&transaction, batch, now).await?;
    }
    let last = signed(batch.events.iter().map(|event| event.n).max().unwrap_or_default());
    let newest = transaction.prepare_cached("select seq from event where repo = $1 and run = $2 and n = $3").await?;
    let row = transaction.query_opt(&newest, &[&batch.repo, &batch.run, &last]).await?;
    transaction.commit().await?;
    Ok(Appended { added, last_seq: row.map_or(0, |row| unsigned(row.get(0))) })
}

pub async fn after(client: &Client, query: &EventQuery) -> Result<Vec<StoredEvent>> {
    read(client, query).await
}

/// The same, in a transaction too.
pub async fn read(client: &impl GenericClient, query: &EventQuery) -> Result<Vec<StoredEvent>> {
    let statement = client
        .prepare_cached(
            "select seq, ts, repo, run, n, name, data from event
             where seq > $1 and ($2::text is null or repo = $2) and ($3::text is null or run = $3) order by seq limit $4",
        )
        .await?;
    let (after, limit) = (signed(query.after), i64::from(query.limit));
    let found = client.query(&statement, &[&after, &query.repo, &query.run, &limit]).await?;
    let event = |row: &tokio_postgres::Row| {
        let data = serde_json::from_str(row.get(6))?;
        Ok(StoredEvent {
            seq: unsigned(row.get(0)),
            ts: Micros(row.get(1)).text(),
            repo: row.get(2),
            run: row.get(3),
            event: RunEvent { n: unsigned(row.get(4)), name: row.get(5), data },
        })
    };
    found.iter().map(event).collect()
}

pub async fn bounds(client: &Client) -> Result<(u64, u64)> {
    let statement = client.prepare_cached("select coalesce(min(seq), 0), coalesce(max(seq), 0) from event").await?;
    let row = client.query_one(&statement, &[]).await?;
    Ok((unsigned(row.get(0)), unsigned(row.get(1))))
}
