//! Where a queue is, and its opening.

use std::str::FromStr;
use std::sync::Arc;

use super::access::Access;
use super::memory::MemoryQueue;
use super::nats::Nats;
use super::postgres::PostgresQueue;
use super::{Queue, QueueError, Result};
use crate::settings::FleetSettings;

/// What stands behind `--queue`.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// In this process alone.
    Memory,
    Nats(String),
    Postgres(String),
}

/// Without passwords.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Address::Memory => "memory:",
            Address::Nats(_) => "nats:",
            Address::Postgres(_) => "postgres:",
        })
    }
}

impl FromStr for Address {
    type Err = QueueError;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':').map(|(scheme, _)| scheme) {
            Some("memory") => Ok(Address::Memory),
            Some("nats" | "tls") => Ok(Address::Nats(text.to_owned())),
            Some("postgres" | "postgresql") => Ok(Address::Postgres(text.to_owned())),
            // A password in it is not repeated.
            scheme => Err(QueueError::Address(scheme.unwrap_or(text).to_owned())),
        }
    }
}

impl Address {
    /// Connects, and makes what the queue needs at its server.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub async fn open(&self, settings: FleetSettings) -> Result<Arc<dyn Queue>> {
        self.open_with(settings, &Access::default()).await
    }

    /// The same, with files that open it.
    ///
    /// # Errors
    /// Also [`QueueError::Access`].
    pub async fn open_with(&self, settings: FleetSettings, access: &Access) -> Result<Arc<dyn Queue>> {
        Ok(match self {
            Address::Memory => Arc::new(MemoryQueue::new(settings)),
            Address::Nats(address) => Arc::new(Nats::connect(address, settings, access).await?),
            Address::Postgres(address) => Arc::new(PostgresQueue::connect(address, settings, access).await?),
        })
    }
}
