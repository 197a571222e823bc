//! What a worker holds while it judges a job.

use crate::job::{JobId, Lane};

/// Ends with the worker's word, or by itself.
pub struct Lease {
    pub job: JobId,
    pub lane: Lane,
    pub(crate) handle: Handle,
}

/// How an engine knows the lease.
pub(crate) enum Handle {
    /// A number that is given once.
    Number(i64),
    /// The message, which is answered.
    Message(Box<async_nats::jetstream::Message>),
}

impl std::fmt::Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lease({} {})", self.lane, self.job)
    }
}
