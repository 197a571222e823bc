//! A server, from its first connection to its last.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use guardhost_core::error::{Context, Fault, Kind, Result};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::answers::{Answers, Roots};
use crate::http::{Limits, Shared, accept, router};
use crate::metrics::Metrics;
use crate::storage::Storage;

/// Questions about repositories at once: each reads a disk and uses a core.
const READING: usize = 2;

/// What a server is made of.
pub struct Settings {
    pub address: SocketAddr,
    /// Tokens are needed even on a loopback address; elsewhere they always are.
    pub tokens: bool,
    pub storage: Arc<dyn Storage>,
    pub answers: Option<Arc<dyn Answers>>,
    pub roots: Roots,
    pub limits: Limits,
    /// Pages of the application, beside the endpoints.
    pub pages: Option<Router>,
}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    end: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    storage: Arc<dyn Storage>,
}

impl Server {
    /// # Errors
    /// The address cannot be had.
    pub async fn start(settings: Settings) -> Result<Self> {
        let cannot = || {
            Fault::new(Kind::Git, format!("cannot listen on {}", settings.address))
                .hint("another program may use the port: name another one with --listen")
        };
        let listener = TcpListener::bind(settings.address).await.with_context(cannot)?;
        let address = listener.local_addr().with_context(cannot)?;
        let (end, ends) = watch::channel(false);
        let shared = Arc::new(Shared {
            storage: Arc::clone(&settings.storage),
            answers: settings.answers,
            roots: settings.roots,
            tokens: settings.tokens || !address.ip().is_loopback(),
            metrics: Metrics::new(),
            rates: Default::default(),
            appended: watch::channel(0).0,
            ends,
            reading: Semaphore::new(READING),
            streams: Arc::new(Semaphore::new(settings.limits.streams)),
            limits: settings.limits,
        });
        let router = router(&shared, settings.pages);
        let accepting = tokio::spawn(accept(listener, router, shared));
        Ok(Server { address, end, accepting, storage: settings.storage })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:29030`
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Takes no new connection, answers what was begun, and closes the storage.
    pub async fn stop(self) {
        self.end.send_replace(true);
        let _ = self.accepting.await;
        self.storage.close().await;
    }
}
