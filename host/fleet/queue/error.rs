//! Why a queue did not do what it was asked.

use crate::job::{Lane, NotAJob};

pub type Result<T> = std::result::Result<T, QueueError>;

#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// Nothing was taken in, and nothing old was dropped.
    #[error("the queue is full: {most} {lane} jobs wait")]
    Full { lane: Lane, most: u64 },
    /// Objects or kept verdicts.
    #[error("the object store of the queue is full, or the object is too large for it: {0}")]
    NoRoom(String),
    /// It was tried for the patience of the settings.
    #[error("the queue cannot be reached: {0}")]
    Unreachable(String),
    /// The server answers, and says no: wrong rights, an old version, a missing feature.
    #[error("the server of the queue refuses: {0}")]
    Refused(String),
    /// Something in the queue is not what this program writes.
    #[error("the queue holds what this program cannot read: {0}")]
    Foreign(String),
    #[error(
        "{0:?} is no address of a queue: nats://HOST:PORT, tls://HOST:PORT, postgresql://USER@HOST/DATABASE, or memory:"
    )]
    Address(String),
    /// A file that opens the queue, or the mode of encryption: what it is, and what is wrong with it.
    #[error("cannot use {0}: {1}")]
    Access(String, String),
}

impl QueueError {
    /// Whether the same may work in a while.
    pub fn is_passing(&self) -> bool {
        match self {
            QueueError::Full { .. } | QueueError::NoRoom(_) | QueueError::Unreachable(_) => true,
            QueueError::Refused(_) | QueueError::Foreign(_) | QueueError::Address(_) | QueueError::Access(..) => false,
        }
    }
}

impl From<NotAJob> for QueueError {
    fn from(error: NotAJob) -> Self {
        QueueError::Foreign(format!("a job: {error}"))
    }
}
