//! What the observer keeps, behind one trait: SQLite for one server, PostgreSQL for several.
//!
//! Both hold the same promises, which `tests/conformance/` holds them to:
//! - what was answered is kept, also after `kill -9`;
//! - an observation is kept once, by its id, and an event once, by its run and number;
//! - of several who claim a key at once one gets it, and its fence is higher than every earlier one;
//! - events become visible in the order of their sequence numbers;
//! - what is removed is old (`retention.rs`), and a claim or a token never is.

pub mod claims;
pub mod error;
pub mod postgres;
pub mod retention;
pub mod runs;
pub mod sqlite;
pub mod time;

use async_trait::async_trait;
use guardhost_observer::wire::{
    Appended, ClaimRequest, EventBatch, HeldClaim, NewObservation, Observation, Posted, StoredEvent, TreeFacts,
};

pub use claims::ClaimRelease;
pub use error::{Result, StorageError};
pub use time::Micros;

/// Bytes of the row that is written to see whether rows can be written: as much as some observations.
pub const PROBED: usize = 64 << 10;

/// Which observations are asked for; newest first.
#[derive(Debug, Clone, Default)]
pub struct LogQuery {
    /// None: of all repositories.
    pub repo: Option<String>,
    pub run_id: Option<String>,
    pub agent: Option<String>,
    /// None older than this.
    pub since: Option<Micros>,
    /// Only those before this one: the cursor of the page before.
    pub before: Option<Cursor>,
    pub limit: u32,
}

/// A place in the order of observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub ts: Micros,
    pub seq: i64,
}

/// One page of observations.
#[derive(Debug, Clone, Default)]
pub struct LogPage {
    pub rows: Vec<Observation>,
    /// Where the next page begins; None after the last.
    pub next: Option<Cursor>,
}

/// Which events are asked for; oldest first.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    pub repo: Option<String>,
    pub run: Option<String>,
    /// Only those after this sequence number.
    pub after: u64,
    pub limit: u32,
}

/// What came of a request for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimAnswer {
    Held(HeldClaim),
    /// Another holder has it.
    Taken(HeldClaim),
    /// The fence of the request is not that of the claim, or the claim's time is over.
    Stale {
        present: Option<HeldClaim>,
    },
}

/// What came of a request to end a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseAnswer {
    Released,
    /// Nobody held it.
    Free,
    Stale(HeldClaim),
}

/// A token as the server keeps it: never its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    pub name: String,
    /// SHA-256 of the token, in hex.
    pub hash: String,
    /// Ids of the repositories that it may read and write; None for all.
    pub repos: Option<Vec<String>>,
}

/// See the module.
#[async_trait]
pub trait Storage: Send + Sync {
    /// The one clock: that of the database where several servers share it.
    async fn now(&self) -> Result<Micros>;

    /// # Errors
    /// [`StorageError::IdReused`], [`StorageError::StaleFence`].
    async fn observe(&self, new: NewObservation) -> Result<Posted>;
    async fn agent_log(&self, query: LogQuery) -> Result<LogPage>;
    /// The newest observation that names the commit.
    async fn by_commit(&self, commit: &str, repo: Option<&str>) -> Result<Option<Observation>>;

    /// `now` is of [`Storage::now`], or a test's.
    async fn claim(&self, request: ClaimRequest, now: Micros) -> Result<ClaimAnswer>;
    async fn release(&self, asked: ClaimRelease, now: Micros) -> Result<ReleaseAnswer>;
    /// Claims that are held, sorted by key; at most 1,000.
    async fn claims(&self, repo: &str, key: Option<&str>, now: Micros) -> Result<Vec<HeldClaim>>;

    async fn append(&self, batch: EventBatch) -> Result<Appended>;
    async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>>;
    /// The sequence numbers of the oldest and the newest event; zeros without events.
    async fn event_bounds(&self) -> Result<(u64, u64)>;

    /// Rows of the list of runs; see [`runs`].
    async fn find_runs(&self, question: runs::Question) -> Result<Vec<runs::StoredRunSummary>>;
    /// The one number that the question asks for.
    async fn count_runs(&self, question: runs::Question) -> Result<usize>;
    /// The texts that the question asks for.
    async fn run_values(&self, question: runs::Question) -> Result<Vec<String>>;

    async fn put_fingerprint(&self, facts: TreeFacts) -> Result<()>;
    /// Of a tree; without one, what was sent last for the repository.
    async fn fingerprint(&self, repo: &str, tree: Option<&str>) -> Result<Option<TreeFacts>>;

    async fn add_token(&self, token: TokenRow) -> Result<()>;
    async fn token(&self, hash: &str) -> Result<Option<TokenRow>>;
    async fn tokens(&self) -> Result<Vec<TokenRow>>;
    /// Whether there was one of that name.
    async fn remove_token(&self, name: &str) -> Result<bool>;

    /// When the row was written that `number - 1` rows of the kind are newer than; None when there are fewer.
    async fn nth_newest(&self, kind: retention::Kind, number: u64) -> Result<Option<Micros>>;
    /// Removes rows of the kind that were written before, the oldest first, at most `most`; how many it were.
    async fn remove_before(&self, kind: retention::Kind, before: Micros, most: u32) -> Result<u64>;

    /// Writes a row, and fails where one cannot be written: on a full disk, at a standby.
    async fn ready(&self) -> Result<()>;
    /// Ends the work of the storage; everything that was answered is on disk.
    async fn close(&self);
}
