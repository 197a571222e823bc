//! The database: its schema, its connections, and statements that are tried again while it is away.

use std::time::{Duration, Instant};

use deadpool_postgres::{Client, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime};
use guardhost_http::is_untrusted;
use guardhost_postgres::PooledConnection;
use guardhost_postgres::Target;
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use crate::queue::{QueueError, Result};

/// Number n brings the tables of a fleet from version n to n + 1. They are never edited once they were released.
const MIGRATIONS: [&str; 2] = [include_str!("schema_1.sql"), include_str!("schema_2.sql")];

/// Connections of one process. PostgreSQL starts a process for each.
const CONNECTIONS: usize = 8;
/// For a connection to be free, and for a new one.
const WAIT: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

pub type Parameter<'a> = &'a (dyn ToSql + Sync);

pub struct Database {
    pool: Pool,
    patience: Duration,
}

impl Database {
    pub async fn open(target: Target, patience: Duration) -> Result<Self> {
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(target.config, target.tls, manager))
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .build()
            .map_err(|error| QueueError::Refused(error.to_string()))?;
        let database = Database { pool, patience };
        database.again(|| database.migrate()).await?;
        Ok(database)
    }

    /// Rows of one statement, within a deadline. A connection that did not answer in time, or on whose answer nobody waits any more, is
    /// thrown away: it may have lost its other end. The statement may be done twice, when its answer was lost: each is written so that this does no harm.
    pub async fn rows(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>> {
        self.again(|| async {
            let mut connection = PooledConnection::from_pool(&self.pool).await?;
            let client = connection.client()?;
            let done = PooledConnection::within(async {
                let statement = client.prepare_cached(sql).await?;
                Ok(client.query(&statement, parameters).await?)
            });
            let done = done.await;
            connection.finish(done)
        })
        .await
    }

    /// The bytes in the first column of the first row.
    pub async fn bytes(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Option<Vec<u8>>> {
        let rows = self.rows(sql, parameters).await?;
        Ok(rows.first().and_then(|row| row.get::<_, Option<Vec<u8>>>(0)))
    }

    async fn again<T, F: Future<Output = std::result::Result<T, PoolError>>>(
        &self,
        mut operation: impl FnMut() -> F,
    ) -> Result<T> {
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match operation().await {
                Ok(value) => return Ok(value),
                Err(error) if !is_passing(&error) => return Err(QueueError::Refused(message(&error))),
                Err(error) if begun.elapsed() >= self.patience => return Err(QueueError::Unreachable(message(&error))),
                Err(error) => {
                    tracing::debug!("the queue: {error}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// One process at a time: others wait until it is done.
    async fn migrate(&self) -> std::result::Result<(), PoolError> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(migrate_with(connection.client()?)).await;
        connection.finish(done)
    }
}

async fn migrate_with(client: &mut Client) -> std::result::Result<(), PoolError> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("select pg_advisory_xact_lock(6719002)").await?;
    transaction.batch_execute("create table if not exists fleet_migration (version bigint primary key)").await?;
    let row = transaction.query_one("select coalesce(max(version), 0) from fleet_migration", &[]).await?;
    let version = usize::try_from(row.get::<_, i64>(0)).unwrap_or(usize::MAX);
    for (number, sql) in MIGRATIONS.iter().enumerate().skip(version) {
        transaction.batch_execute(sql).await?;
        let number = i64::try_from(number + 1).unwrap_or(i64::MAX);
        transaction.execute("insert into fleet_migration (version) values ($1)", &[&number]).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Whether the same may work in a while: the server is away, starts or ends, or has no room for a connection.
fn is_passing(error: &PoolError) -> bool {
    let PoolError::Backend(error) = error else { return true };
    let Some(code) = error.code() else { return !is_untrusted(error) };
    let passing = ["08", "40", "53", "57P"];
    passing.iter().any(|class| code.code().starts_with(class)) || *code == SqlState::UNDEFINED_PSTATEMENT
}

/// The server's own message where there is one, since the client's wrapper says only that the database failed.
fn message(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) => match error.as_db_error() {
            Some(said) => said.to_string(),
            None => error.to_string(),
        },
        other => other.to_string(),
    }
}
