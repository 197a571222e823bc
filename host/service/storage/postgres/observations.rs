//! Observations in PostgreSQL.

use deadpool_postgres::Client;
use guardhost_observer::wire::{ClaimFence, NewObservation, Observation, Posted};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::claims::locked_row;
use super::clock;
use crate::storage::{Cursor, LogPage, LogQuery, Micros, Result, StorageError, claims};

/// The time is taken by the same statement; a row that exists already adds none.
const INSERT: &str = "insert into observation (id, repo, ts, run_id, agent, commit_sha, body)
    values ($1, $2, (extract(epoch from clock_timestamp()) * 1000000)::bigint, $3, $4, $5, $6)
    on conflict (id) do nothing returning ts, seq";

/// Keeps it, or finds it kept.
pub async fn insert(client: &mut Client, mut new: NewObservation) -> Result<Posted> {
    let id = *new.id.get_or_insert_with(Uuid::now_v7);
    let body = serde_json::to_string(&new)?;
    let parameters: [&(dyn ToSql + Sync); 6] = [&id, &new.repo, &new.run_id, &new.agent, &new.commit_sha, &body];
    let inserted = match new.claim.clone() {
        None => {
            let statement = client.prepare_cached(INSERT).await?;
            client.query_opt(&statement, &parameters).await?
        }
        Some(fence) => {
            // What was kept under the claim stays kept when it is posted again later.
            if let Some(known) = known(client, id, &body).await? {
                return Ok(known);
            }
            under(client, &new.repo, &fence, &parameters).await?
        }
    };
    match inserted {
        Some(row) => Ok(Posted { id: row.get(1), key: id, ts: Micros(row.get(0)).text(), duplicate: false }),
        None => {
            let known = known(client, id, &body).await?;
            known.ok_or_else(|| StorageError::Unavailable("the row is gone".into()))
        }
    }
}

/// Inserts while the claim's row cannot change.
async fn under(
    client: &mut Client,
    repo: &str,
    fence: &ClaimFence,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Option<Row>> {
    let transaction = client.transaction().await?;
    let row = locked_row(&transaction, repo, &fence.key).await?;
    let now = clock(&*transaction).await?;
    claims::check(&row, repo, fence, now).map_err(StorageError::StaleFence)?;
    let inserted = transaction.query_opt(INSERT, parameters).await?;
    transaction.commit().await?;
    Ok(inserted)
}

async fn known(client: &Client, id: Uuid, body: &str) -> Result<Option<Posted>> {
    let statement = client.prepare_cached("select ts, body, seq from observation where id = $1").await?;
    let Some(row) = client.query_opt(&statement, &[&id]).await? else { return Ok(None) };
    match row.get::<_, &str>(1) == body {
        true => Ok(Some(Posted { id: row.get(2), key: id, ts: Micros(row.get(0)).text(), duplicate: true })),
        false => Err(StorageError::IdReused(id.to_string())),
    }
}

/// Each combination of conditions is a statement of its own, so that each finds its index.
pub async fn page(client: &Client, query: &LogQuery) -> Result<LogPage> {
    let mut conditions = Vec::new();
    let mut values: Vec<&(dyn ToSql + Sync)> = Vec::new();
    let texts = [("repo", &query.repo), ("run_id", &query.run_id), ("agent", &query.agent)];
    for (column, value) in texts.iter().filter_map(|(column, value)| Some((column, value.as_ref()?))) {
        values.push(value);
        conditions.push(format!("{column} = ${}", values.len()));
    }
    let since = query.since.map(|since| since.0);
    if let Some(since) = &since {
        values.push(since);
        conditions.push(format!("ts >= ${}", values.len()));
    }
    let before = query.before.map(|before| (before.ts.0, before.seq));
    if let Some((ts, seq)) = &before {
        values.push(ts);
        values.push(seq);
        conditions.push(format!("(ts, seq) < (${}, ${})", values.len() - 1, values.len()));
    }
    let conditions = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
    let limit = i64::from(query.limit) + 1;
    let sql =
        format!("select seq, ts, body from observation where {conditions} order by ts desc, seq desc limit {limit}");
    let statement = client.prepare_cached(&sql).await?;
    let mut found = client.query(&statement, &values).await?;
    let is_cut = found.len() > query.limit as usize;
    found.truncate(query.limit as usize);
    let place = |row: &Row| Cursor { seq: row.get(0), ts: Micros(row.get(1)) };
    let next = found.last().filter(|_| is_cut).map(place);
    Ok(LogPage { rows: found.iter().map(observation).collect::<Result<_>>()?, next })
}

pub async fn by_commit(client: &Client, commit: &str, repo: Option<&str>) -> Result<Option<Observation>> {
    let statement = client
        .prepare_cached(
            "select seq, ts, body from observation where commit_sha = $1 and ($2::text is null or repo = $2)
             order by ts desc, seq desc limit 1",
        )
        .await?;
    client.query_opt(&statement, &[&commit, &repo]).await?.as_ref().map(observation).transpose()
}

fn observation(row: &Row) -> Result<Observation> {
    Ok(Observation { id: Some(row.get(0)), ts: Micros(row.get(1)).text(), observed: serde_json::from_str(row.get(2))? })
}
