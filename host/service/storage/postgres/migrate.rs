//! Brings a database to this version: numbered SQL, forward only. Copies are the business of who runs the database.

use deadpool_postgres::Client;

use crate::storage::{Result, StorageError};

/// Number n brings a database of version n to n + 1. They are never edited once they were released.
const MIGRATIONS: [&str; 4] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
];
/// The version that has the list of runs, which is made of the events that are there.
const LIST_OF_RUNS: usize = 4;

/// One server at a time: others wait until it is done.
pub async fn migrate(client: &mut Client) -> Result<()> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("select pg_advisory_xact_lock(6719001)").await?;
    transaction.batch_execute("create table if not exists migration (version bigint primary key)").await?;
    let row = transaction.query_one("select coalesce(max(version), 0) from migration", &[]).await?;
    let version = usize::try_from(row.get::<_, i64>(0)).unwrap_or(usize::MAX);
    let newest = MIGRATIONS.len();
    if version > newest {
        return Err(StorageError::Unavailable(format!(
            "the database has version {version}, and this program knows {newest}: start a program as new as the one that wrote it"
        )));
    }
    for (number, sql) in MIGRATIONS.iter().enumerate().skip(version) {
        transaction.batch_execute(sql).await?;
        if number + 1 == LIST_OF_RUNS {
            super::runs::fill(&transaction).await?;
        }
        let number = i64::try_from(number + 1).unwrap_or(i64::MAX);
        transaction.execute("insert into migration (version) values ($1)", &[&number]).await?;
    }
    Ok(transaction.commit().await?)
}
