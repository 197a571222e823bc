//! PostgreSQL, for several servers on one database. Its clock is the only one.

mod claims;
mod events;
mod facts;
mod migrate;
mod observations;
mod retention;

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use guardhost_observer::wire::{
    Appended, ClaimRequest, EventBatch, HeldClaim, NewObservation, Observation, Posted, StoredEvent, TreeFacts,
};
use guardhost_postgres::Target;
use tokio_postgres::GenericClient;

use super::retention::Kind;
use super::{
    ClaimAnswer, EventQuery, LogPage, LogQuery, Micros, ReleaseAnswer, Result, Storage, StorageError, TokenRow,
};

/// Connections at once. PostgreSQL starts a process for each.
const CONNECTIONS: usize = 16;
/// For a connection to be free, and for a new one.
const WAIT: Duration = Duration::from_secs(5);

/// The database's clock, in microseconds.
const CLOCK: &str = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint";

pub struct Postgres {
    pool: Pool,
}

impl Postgres {
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
        let mut client = pool.get().await?;
        migrate::migrate(&mut client).await?;
        drop(client);
        Ok(Postgres { pool })
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
impl Storage for Postgres {
    async fn now(&self) -> Result<Micros> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached(CLOCK).await?;
        Ok(Micros(client.query_one(&statement, &[]).await?.get(0)))
    }

    async fn observe(&self, new: NewObservation) -> Result<Posted> {
        observations::insert(&mut self.pool.get().await?, new).await
    }

    async fn agent_log(&self, query: LogQuery) -> Result<LogPage> {
        observations::page(&self.pool.get().await?, &query).await
    }

    async fn of_commit(&self, commit: &str, repo: Option<&str>) -> Result<Option<Observation>> {
        observations::of_commit(&self.pool.get().await?, commit, repo).await
    }

    async fn claim(&self, request: ClaimRequest, now: Micros) -> Result<ClaimAnswer> {
        claims::claim(&mut self.pool.get().await?, &request, now).await
    }

    async fn release(&self, repo: &str, key: &str, fence: u64, now: Micros) -> Result<ReleaseAnswer> {
        claims::release(&mut self.pool.get().await?, repo, key, fence, now).await
    }

    async fn claims(&self, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>> {
        claims::held(&self.pool.get().await?, repo, key, now).await
    }

    async fn append(&self, batch: EventBatch) -> Result<Appended> {
        events::append(&mut self.pool.get().await?, &batch).await
    }

    async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        events::after(&self.pool.get().await?, &query).await
    }

    async fn event_bounds(&self) -> Result<(u64, u64)> {
        events::bounds(&self.pool.get().await?).await
    }

    async fn put_fingerprint(&self, new: TreeFacts) -> Result<()> {
        facts::put_fingerprint(&self.pool.get().await?, &new).await
    }

    async fn fingerprint(&self, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>> {
        facts::fingerprint(&self.pool.get().await?, repo, tree).await
    }

    async fn add_token(&self, token: TokenRow) -> Result<()> {
        facts::add_token(&self.pool.get().await?, &token).await
    }

    async fn token(&self, hash: &str) -> Result<Option<TokenRow>> {
        facts::token(&self.pool.get().await?, hash).await
    }

    async fn tokens(&self) -> Result<Vec<TokenRow>> {
        facts::tokens(&self.pool.get().await?).await
    }

    async fn remove_token(&self, name: &str) -> Result<bool> {
        let client = self.pool.get().await?;
        Ok(client.execute("delete from token where name = $1", &[&name]).await? > 0)
    }

    async fn nth_newest(&self, kind: Kind, number: u64) -> Result<Option<Micros>> {
        retention::nth_newest(&self.pool.get().await?, kind, number).await
    }

    async fn remove_before(&self, kind: Kind, before: Micros, most: u32) -> Result<u64> {
        retention::remove_before(&self.pool.get().await?, kind, before, most).await
    }

    async fn ready(&self) -> Result<()> {
        self.pool.get().await?.batch_execute("").await?;
        Ok(())
    }

    async fn close(&self) {
        self.pool.close();
    }
}
