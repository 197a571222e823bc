//! SQLite: one file, one writer, readers beside it.
//!
//! The log is written ahead (WAL) and synchronised with every transaction, so that what was answered survives a loss of power too. The
//! file must lie on a disk of this machine: the log does not work on network shares.

mod migrate;
mod observations;
mod readers;
mod retention;
mod rows;
mod runs;
mod writer;

use std::path::Path;
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use guardhost_observer::wire::{
    Appended, ClaimRequest, EventBatch, HeldClaim, NewObservation, Observation, Posted, StoredEvent, TreeFacts,
};
use rusqlite::Connection;

use super::retention::Kind;
use super::runs::{Question, StoredRunSummary};
use super::{
    ClaimAnswer, ClaimRelease, EventQuery, LogPage, LogQuery, Micros, ReleaseAnswer, Result, Storage, StorageError,
    TokenRow,
};
use readers::Readers;
use writer::Writer;

/// The database below the data folder.
pub const FILE: &str = "observer.db";

pub struct Sqlite {
    /// None once it is closed.
    writer: RwLock<Option<std::sync::Arc<Writer>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    readers: Readers,
}

/// Of every connection.
fn settings(connection: &Connection) -> Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // 2 MiB a connection: memory at rest counts for more than a row read from the system's cache.
    connection.pragma_update(None, "cache_size", -2_048)?;
    Ok(())
}

impl Sqlite {
    /// Opens the database in a folder, which exists; a new one is made, an older one brought to this version.
    pub fn open(folder: &Path) -> Result<Self> {
        let file = folder.join(FILE);
        let mut connection = Connection::open(&file)?;
        settings(&connection)?;
        let mode: String = connection.query_row("pragma journal_mode = wal", [], |row| row.get(0))?;
        if mode != "wal" {
            let why = format!("{} cannot have a log (WAL): put the data folder on a local disk", file.display());
            return Err(StorageError::Unavailable(why));
        }
        connection.pragma_update(None, "synchronous", "FULL")?;
        migrate::migrate(&mut connection, &file)?;
        let started = Writer::start(connection);
        let (writer, thread) = started.map_err(|error| StorageError::Unavailable(error.to_string()))?;
        Ok(Sqlite {
            writer: RwLock::new(Some(std::sync::Arc::new(writer))),
            thread: Mutex::new(Some(thread)),
            readers: Readers::new(file),
        })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let writer = self.writer.read().unwrap_or_else(PoisonError::into_inner).clone();
        let writer = writer.ok_or_else(|| StorageError::Unavailable("the storage is closed".into()))?;
        writer.write(work).await
    }
}

#[async_trait]
impl Storage for Sqlite {
    async fn now(&self) -> Result<Micros> {
        Ok(Micros::from_machine())
    }

    async fn observe(&self, new: NewObservation) -> Result<Posted> {
        self.write(move |connection| observations::insert(connection, new, Micros::from_machine())).await
    }

    async fn agent_log(&self, query: LogQuery) -> Result<LogPage> {
        self.readers.read(move |connection| observations::page(connection, &query)).await
    }

    async fn by_commit(&self, commit: &str, repo: Option<&str>) -> Result<Option<Observation>> {
        let (commit, repo) = (commit.to_owned(), repo.map(str::to_owned));
        self.readers.read(move |connection| observations::by_commit(connection, &commit, repo.as_deref())).await
    }

    async fn claim(&self, request: ClaimRequest, now: Micros) -> Result<ClaimAnswer> {
        self.write(move |connection| rows::claim(connection, &request, now)).await
    }

    async fn release(&self, asked: ClaimRelease, now: Micros) -> Result<ReleaseAnswer> {
        self.write(move |connection| rows::release(connection, &asked, now)).await
    }

    async fn claims(&self, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>> {
        let (repo, key) = (repo.to_owned(), key.map(str::to_owned));
        self.readers.read(move |connection| rows::claims(connection, &repo, key.as_deref(), now)).await
    }

    async fn append(&self, batch: EventBatch) -> Result<Appended> {
        self.write(move |connection| rows::append(connection, &batch, Micros::from_machine())).await
    }

    async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        self.readers.read(move |connection| rows::events(connection, &query)).await
    }

    async fn event_bounds(&self) -> Result<(u64, u64)> {
        self.readers.read(rows::event_bounds).await
    }

    async fn find_runs(&self, question: Question) -> Result<Vec<StoredRunSummary>> {
        self.readers.read(move |connection| runs::find(connection, &question)).await
    }

    async fn count_runs(&self, question: Question) -> Result<usize> {
        self.readers.read(move |connection| runs::count(connection, &question)).await
    }

    async fn run_values(&self, question: Question) -> Result<Vec<String>> {
        self.readers.read(move |connection| runs::values(connection, &question)).await
    }

    async fn put_fingerprint(&self, facts: TreeFacts) -> Result<()> {
        self.write(move |connection| rows::put_fingerprint(connection, &facts, Micros::from_machine())).await
    }

    async fn fingerprint(&self, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>> {
        let (repo, tree) = (repo.to_owned(), tree.map(str::to_owned));
        self.readers.read(move |connection| rows::fingerprint(connection, &repo, tree.as_deref())).await
    }

    async fn add_token(&self, token: TokenRow) -> Result<()> {
        self.write(move |connection| rows::add_token(connection, &token, Micros::from_machine())).await
    }

    async fn token(&self, hash: &str) -> Result<Option<TokenRow>> {
        let hash = hash.to_owned();
        self.readers.read(move |connection| rows::token(connection, &hash)).await
    }

    async fn tokens(&self) -> Result<Vec<TokenRow>> {
        self.readers.read(rows::tokens).await
    }

    async fn remove_token(&self, name: &str) -> Result<bool> {
        let name = name.to_owned();
        self.write(move |connection| rows::remove_token(connection, &name)).await
    }

    async fn nth_newest(&self, kind: Kind, number: u64) -> Result<Option<Micros>> {
        self.readers.read(move |connection| retention::nth_newest(connection, kind, number)).await
    }

    async fn remove_before(&self, kind: Kind, before: Micros, most: u32) -> Result<u64> {
        self.write(move |connection| retention::remove_before(connection, kind, before, most)).await
    }

    async fn ready(&self) -> Result<()> {
        self.write(|connection| rows::try_write(connection, Micros::from_machine())).await
    }

    async fn close(&self) {
        drop(self.writer.write().unwrap_or_else(PoisonError::into_inner).take());
        self.readers.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // Its last transaction is not long.
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }
}
