//! Why the storage could not do what it was asked for.

use std::fmt;

use guardhost_observer::wire::HeldClaim;

pub type Result<T, E = StorageError> = std::result::Result<T, E>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageError {
    /// The id names an observation with other content.
    IdReused(String),
    /// The claim of the observation is not held any more; by whom it is now.
    StaleFence(Option<HeldClaim>),
    /// A row that this version cannot read.
    Unreadable(String),
    /// The database does not answer, is full, or ends.
    Unavailable(String),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::IdReused(id) => write!(f, "the id {id} names another observation already"),
            StorageError::StaleFence(_) => f.write_str("the claim is no longer held: its fence is stale"),
            StorageError::Unreadable(why) => write!(f, "a row cannot be read: {why}"),
            StorageError::Unavailable(why) => write!(f, "the storage is not available: {why}"),
        }
    }
}

impl std::error::Error for StorageError {}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        StorageError::Unavailable(error.to_string())
    }
}

impl From<tokio_postgres::Error> for StorageError {
    fn from(error: tokio_postgres::Error) -> Self {
        // The message of the error alone is "db error".
        let detail = error.as_db_error().map(|db| format!("{} ({})", db.message(), db.code().code()));
        StorageError::Unavailable(detail.unwrap_or_else(|| error.to_string()))
    }
}

impl From<deadpool_postgres::PoolError> for StorageError {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => error.into(),
            other => StorageError::Unavailable(other.to_string()),
        }
    }
}

impl From<serde_json::Error> for StorageError {
    fn from(error: serde_json::Error) -> Self {
        StorageError::Unreadable(error.to_string())
    }
}
