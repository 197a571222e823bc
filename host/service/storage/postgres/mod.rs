//! PostgreSQL, for several servers on one database. Its clock is the only one.

mod claims;
mod events;
mod facts;
mod migrate;
mod observations;
mod retention;
mod runs;

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use guardhost_observer::wire::{
    Appended, ClaimRequest, EventBatch, HeldClaim, NewObservation, Observation, Posted, StoredEvent, TreeFacts,
};
use guardhost_postgres::{PooledConnection, Target};
use tokio_postgres::GenericClient;

use super::retention::Kind;
use super::runs::{Question, StoredRunSummary};
use super::{
    ClaimAnswer, ClaimRelease, EventQuery, LogPage, LogQuery, Micros, ReleaseAnswer, Result, Storage, StorageError,
    TokenRow,
};

/// Connections at once. PostgreSQL starts a process for each.
const CONNECTIONS: usize = 16;
/// For a connection to be free, and for a new one.
const WAIT: Duration = Duration::from_secs(5);

/// The database's clock, in microseconds.
const CLOCK: &str = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint";

pub struct PostgresStore {
    pool: Pool,
}

impl PostgresStore {
    /// `address` as in `postgresql://user:password@host/database?sslmode=verify-full`; without `sslmode` the connection is not encrypted.
    pub async fn connect(address: &str) -> Result<Self> {
        let target = Target::read(address, None).map_err(|error| StorageError::Unavailable(error.to_string()))?;
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(target.config, target.tls, manager))
            .max_size(CONNECTIONS)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| StorageError::Unavailable(error.to_string()))?;
        // It may take long on a large database.
        migrate::migrate(&mut pool.get().await?).await?;
        Ok(PostgresStore { pool })
    }
}

/// The database's time.
async fn clock(client: &impl GenericClient) -> Result<Micros> {
    Ok(Micros(client.query_one(CLOCK, &[]).await?.get(0)))
}

/// PostgreSQL's integers have a sign; numbers of ours stay far below 2^63.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

#[async_trait]
impl Storage for PostgresStore {
    async fn now(&self) -> Result<Micros> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let client = connection.client()?;
        let done = PooledConnection::within(async {
            let statement = client.prepare_cached(CLOCK).await?;
            Ok(Micros(client.query_one(&statement, &[]).await?.get(0)))
        });
        let done = done.await;
        connection.finish(done)
    }

    async fn observe(&self, new: NewObservation) -> Result<Posted> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(observations::insert(connection.client()?, new)).await;
        connection.finish(done)
    }

    async fn agent_log(&self, query: LogQuery) -> Result<LogPage> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(observations::page(connection.client()?, &query)).await;
        connection.finish(done)
    }

    async fn by_commit(&self, commit: &str, repo: Option<&str>) -> Result<Option<Observation>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(observations::by_commit(connection.client()?, commit, repo)).await;
        connection.finish(done)
    }

    async fn claim(&self, request: ClaimRequest, now: Micros) -> Result<ClaimAnswer> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(claims::claim(connection.client()?, &request, now)).await;
        connection.finish(done)
    }

    async fn release(&self, asked: ClaimRelease, now: Micros) -> Result<ReleaseAnswer> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(claims::release(connection.client()?, &asked, now)).await;
        connection.finish(done)
    }

    async fn claims(&self, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(claims::held(connection.client()?, repo, key, now)).await;
        connection.finish(done)
    }

    async fn append(&self, batch: EventBatch) -> Result<Appended> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(events::append(connection.client()?, &batch)).await;
        connection.finish(done)
    }

    async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(events::after(connection.client()?, &query)).await;
        connection.finish(done)
    }

    async fn event_bounds(&self) -> Result<(u64, u64)> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(events::bounds(connection.client()?)).await;
        connection.finish(done)
    }

    async fn find_runs(&self, question: Question) -> Result<Vec<StoredRunSummary>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(runs::find(connection.client()?, &question)).await;
        connection.finish(done)
    }

    async fn count_runs(&self, question: Question) -> Result<usize> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(runs::count(connection.client()?, &question)).await;
        connection.finish(done)
    }

    async fn run_values(&self, question: Question) -> Result<Vec<String>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(runs::values(connection.client()?, &question)).await;
        connection.finish(done)
    }

    async fn put_fingerprint(&self, new: TreeFacts) -> Result<()> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::put_fingerprint(connection.client()?, &new)).await;
        connection.finish(done)
    }

    async fn fingerprint(&self, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::fingerprint(connection.client()?, repo, tree)).await;
        connection.finish(done)
    }

    async fn add_token(&self, token: TokenRow) -> Result<()> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::add_token(connection.client()?, &token)).await;
        connection.finish(done)
    }

    async fn token(&self, hash: &str) -> Result<Option<TokenRow>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::token(connection.client()?, hash)).await;
        connection.finish(done)
    }

    async fn tokens(&self) -> Result<Vec<TokenRow>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::tokens(connection.client()?)).await;
        connection.finish(done)
    }

    async fn remove_token(&self, name: &str) -> Result<bool> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::remove_token(connection.client()?, name)).await;
        connection.finish(done)
    }

    async fn nth_newest(&self, kind: Kind, number: u64) -> Result<Option<Micros>> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(retention::nth_newest(connection.client()?, kind, number)).await;
        connection.finish(done)
    }

    async fn remove_before(&self, kind: Kind, before: Micros, most: u32) -> Result<u64> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(retention::remove_before(connection.client()?, kind, before, most)).await;
        connection.finish(done)
    }

    async fn ready(&self) -> Result<()> {
        let mut connection = PooledConnection::from_pool(&self.pool).await?;
        let done = PooledConnection::within(facts::try_write(connection.client()?)).await;
        connection.finish(done)
    }

    async fn close(&self) {
        self.pool.close();
    }
}
