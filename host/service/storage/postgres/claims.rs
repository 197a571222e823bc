//! Claims in PostgreSQL: the row of a key is locked while it is decided about.

use deadpool_postgres::{Client, Transaction};
use guardhost_observer::wire::{ClaimRequest, HeldClaim};
use tokio_postgres::Row;

use super::{signed, unsigned};
use crate::storage::claims::{self, ClaimRow};
use crate::storage::{ClaimAnswer, ClaimRelease, Micros, ReleaseAnswer, Result};

/// The row of a key, which nobody else changes before the transaction ends. One that is missing is made.
pub async fn locked_row(transaction: &Transaction<'_>, repo: &str, key: &str) -> Result<ClaimRow> {
    let make = transaction
        .prepare_cached(
            "insert into claim (repo, key, holder, fence, until) values ($1, $2, '', 0, 0) on conflict do nothing",
        )
        .await?;
    transaction.execute(&make, &[&repo, &key]).await?;
    let lock = transaction
        .prepare_cached("select key, holder, fence, until from claim where repo = $1 and key = $2 for update")
        .await?;
    Ok(claim_row(&transaction.query_one(&lock, &[&repo, &key]).await?))
}

fn claim_row(row: &Row) -> ClaimRow {
    ClaimRow { holder: row.get(1), fence: unsigned(row.get(2)), until: Micros(row.get(3)) }
}

async fn write(transaction: &Transaction<'_>, repo: &str, key: &str, row: &ClaimRow) -> Result<()> {
    let statement = transaction
        .prepare_cached("update claim set holder = $3, fence = $4, until = $5 where repo = $1 and key = $2")
        .await?;
    let fence = signed(row.fence);
    transaction.execute(&statement, &[&repo, &key, &row.holder, &fence, &row.until.0]).await?;
    Ok(())
}

pub async fn claim(client: &mut Client, request: &ClaimRequest, now: Micros) -> Result<ClaimAnswer> {
    let transaction = client.transaction().await?;
    let row = locked_row(&transaction, &request.repo, &request.key).await?;
    let (answer, written) = claims::claim(&row, request, now);
    if let Some(row) = written {
        write(&transaction, &request.repo, &request.key, &row).await?;
    }
    transaction.commit().await?;
    Ok(answer)
}

pub async fn release(client: &mut Client, asked: &ClaimRelease, now: Micros) -> Result<ReleaseAnswer> {
    let transaction = client.transaction().await?;
    let row = locked_row(&transaction, &asked.repo, &asked.key).await?;
    let (answer, written) = claims::release(&row, asked, now);
    if let Some(row) = written {
        write(&transaction, &asked.repo, &asked.key, &row).await?;
    }
    transaction.commit().await?;
    Ok(answer)
}

pub async fn held(client: &Client, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>> {
    let statement = client
        .prepare_cached(
            "select key, holder, fence, until from claim
             where repo = $1 and ($2::text is null or key = $2) and holder <> '' and until > $3 order by key limit 1000",
        )
        .await?;
    let found = client.query(&statement, &[&repo, &key, &now.0]).await?;
    Ok(found.iter().filter_map(|row| claim_row(row).held(repo, row.get(0), now)).collect())
}
