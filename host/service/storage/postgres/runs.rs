//! The list of runs in PostgreSQL.

use deadpool_postgres::{Client, GenericClient};
use guardhost_observer::wire::EventBatch;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::events::read;
use crate::storage::runs::{Question, RunRow, StoredRunSummary, Value, batches};
use crate::storage::{EventQuery, Micros, Result};

/// Events of one read of [`fill`].
const PART: u32 = 500;

/// Takes a batch into the row of its run. It is written in the transaction of the events themselves, of which there is one at a time.
pub async fn index(client: &impl GenericClient, batch: &EventBatch, now: Micros) -> Result<()> {
    let statement = client.prepare_cached("select repo, began, heard, body from run where run = $1").await?;
    let kept = client.query_opt(&statement, &[&batch.run]).await?;
    let read = |row: Row| -> Result<RunRow> {
        let (began, heard) = (Micros(row.get(1)), Micros(row.get(2)));
        Ok(RunRow { repo: row.get(0), began, heard, summary: serde_json::from_str(row.get(3))? })
    };
    let Some(row) = RunRow::with_batch(kept.map(read).transpose()?, batch, now) else { return Ok(()) };
    let summary = &row.summary;
    let (accepted, took, words, body) = (i64::from(row.is_accepted()), row.took(), summary.words(), row.body()?);
    let statement = client
        .prepare_cached(
            "insert into run (run, repo, began, heard, took, state, accepted, repository, person, machine, agent, provider, command, plan,
             words, body) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
             on conflict (run) do update set heard = $4, took = $5, state = $6, accepted = $7, repository = $8, person = $9, machine = $10,
             agent = $11, provider = $12, command = $13, plan = $14, words = $15, body = $16",
        )
        .await?;
    client
        .execute(
            &statement,
            &[
                &batch.run,
                &row.repo,
                &row.began.0,
                &row.heard.0,
                &took,
                &summary.outcome,
                &accepted,
                &summary.repository,
                &summary.person,
                &summary.machine,
                &summary.agent,
                &summary.provider,
                &summary.command,
                &summary.plan,
                &words,
                &body,
            ],
        )
        .await?;
    for guard in &summary.guards {
        let insert = "insert into run_guard (guard, began, run) values ($1, $2, $3) on conflict do nothing";
        client.execute(insert, &[guard, &row.began.0, &batch.run]).await?;
    }
    Ok(())
}

/// Of the events that a database of an earlier version has.
pub async fn fill(client: &impl GenericClient) -> Result<()> {
    let mut query = EventQuery { limit: PART, ..EventQuery::default() };
    loop {
        let found = read(client, &query).await?;
        let Some(last) = found.last().map(|event| event.seq) else { return Ok(()) };
        for (batch, at) in batches(found) {
            index(client, &batch, at).await?;
        }
        query.after = last;
    }
}

async fn ask(client: &Client, question: &Question) -> Result<Vec<Row>> {
    let statement = client.prepare_cached(&question.sql).await?;
    let value = |value: &'_ Value| -> Box<dyn ToSql + Sync + Send> {
        match value {
            Value::Text(text) => Box::new(text.clone()),
            Value::Number(number) => Box::new(*number),
        }
    };
    let values: Vec<_> = question.values.iter().map(value).collect();
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    Ok(client.query(&statement, &values).await?)
}

pub async fn find(client: &Client, question: &Question) -> Result<Vec<StoredRunSummary>> {
    let rows = ask(client, question).await?;
    rows.iter().map(|row| Ok(StoredRunSummary { summary: serde_json::from_str(row.get(0))?, at: row.get(1) })).collect()
}

pub async fn count(client: &Client, question: &Question) -> Result<usize> {
    let rows = ask(client, question).await?;
    Ok(rows.first().map_or(0, |row| usize::try_from(row.get::<_, i64>(0)).unwrap_or_default()))
}

pub async fn values(client: &Client, question: &Question) -> Result<Vec<String>> {
    Ok(ask(client, question).await?.iter().map(|row| row.get(0)).collect())
}
