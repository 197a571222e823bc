//! What every request may use.

use std::sync::Arc;

use guardhost_telemetry::Traces;
use tokio::sync::{Semaphore, watch};

use super::limits::{Rates, ServerLimits};
use crate::answers::{AnswerService, Roots};
use crate::metrics::Metrics;
use crate::storage::Storage;

/// What every request may use.
pub struct ServerState {
    pub storage: Arc<dyn Storage>,
    /// None: no repository of this machine is looked at.
    pub answers: Option<Arc<dyn AnswerService>>,
    pub roots: Roots,
    /// Every request needs a token.
    pub tokens: bool,
    pub limits: ServerLimits,
    pub metrics: Metrics,
    pub rates: Rates,
    /// Changes when events were added; its value does not count.
    pub appended: watch::Sender<u64>,
    /// Becomes true when the server is to end.
    pub ends: watch::Receiver<bool>,
    /// Places for questions about repositories.
    pub reading: Semaphore,
    pub streams: Arc<Semaphore>,
    pub traces: Option<Traces>,
}
