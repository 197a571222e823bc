//! Fingerprints and tokens in PostgreSQL.

use deadpool_postgres::Client;
use guardhost_observer::wire::TreeFacts;
use tokio_postgres::Row;

use super::clock;
use crate::storage::{Result, TokenRow};

pub async fn put_fingerprint(client: &Client, facts: &TreeFacts) -> Result<()> {
    let (now, body) = (clock(&***client).await?, serde_json::to_string(facts)?);
    let statement = client
        .prepare_cached(
            "insert into fingerprint (repo, tree, ts, body) values ($1, $2, $3, $4)
             on conflict (repo, tree) do update set ts = $3, body = $4",
        )
        .await?;
    client.execute(&statement, &[&facts.repo, &facts.tree, &now.0, &body]).await?;
    Ok(())
}

pub async fn fingerprint(client: &Client, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>> {
    let statement = client
        .prepare_cached(
            "select body from fingerprint where repo = $1 and ($2::text is null or tree = $2) order by ts desc limit 1",
        )
        .await?;
    let row = client.query_opt(&statement, &[&repo, &tree]).await?;
    row.map(|row| Ok(serde_json::from_str(row.get(0))?)).transpose()
}

pub async fn add_token(client: &Client, token: &TokenRow) -> Result<()> {
    let repos = token.repos.as_ref().map(serde_json::to_string).transpose()?;
    let now = clock(&***client).await?;
    let sql = "insert into token (name, hash, repos, ts) values ($1, $2, $3, $4)";
    client.execute(sql, &[&token.name, &token.hash, &repos, &now.0]).await?;
    Ok(())
}

pub async fn token(client: &Client, hash: &str) -> Result<Option<TokenRow>> {
    let statement = client.prepare_cached("select name, hash, repos from token where hash = $1").await?;
    client.query_opt(&statement, &[&hash]).await?.as_ref().map(token_row).transpose()
}

pub async fn tokens(client: &Client) -> Result<Vec<TokenRow>> {
    let found = client.query("select name, hash, repos from token order by name", &[]).await?;
    found.iter().map(token_row).collect()
}

fn token_row(row: &Row) -> Result<TokenRow> {
    let repos: Option<&str> = row.get(2);
    let repos = repos.map(serde_json::from_str).transpose()?;
    Ok(TokenRow { name: row.get(0), hash: row.get(1), repos })
}

pub async fn remove_token(client: &Client, name: &str) -> Result<bool> {
    Ok(client.execute("delete from token where name = $1", &[&name]).await? > 0)
}

/// Writes a row, and waits until it is on disk: a standby after a failover, and a database without room, say so.
pub async fn try_write(client: &Client) -> Result<()> {
    let statement = client
        .prepare_cached(
            "insert into readiness (id, at, room) values (1, now(), $1) on conflict (id) do update set at = now(), room = $1",
        )
        .await?;
    client.execute(&statement, &[&vec![0_u8; crate::storage::PROBED]]).await?;
    Ok(())
}
