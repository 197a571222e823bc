//! A server, from its first connection to its last.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_telemetry::Traces;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::answers::{AnswerService, Roots};
use crate::http::{ServerLimits, ServerState, Tls, accept, router};
use crate::metrics::Metrics;
use crate::storage::Storage;
use crate::storage::retention::{Retention, prune};

/// Questions about repositories at once: each reads a disk and uses a core.
const READING: usize = 2;
/// How often the server looks for what need not be kept any more.
const CLEANING: Duration = Duration::from_secs(3_600);

/// What a server is made of.
pub struct ServerSettings {
    pub address: SocketAddr,
    /// Tokens are needed even on a loopback address; elsewhere they always are.
    pub tokens: bool,
    pub storage: Arc<dyn Storage>,
    pub answers: Option<Arc<dyn AnswerService>>,
    pub roots: Roots,
    pub limits: ServerLimits,
    /// None: the connections are not encrypted.
    pub tls: Option<Tls>,
    pub retention: Retention,
    /// Pages of the application, beside the endpoints.
    pub pages: Option<Router>,
    /// Exports the spans of requests; None if no exporter is configured.
    pub traces: Option<Traces>,
}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    is_encrypted: bool,
    end: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    storage: Arc<dyn Storage>,
}

impl Server {
    /// # Errors
    /// The address cannot be had.
    pub async fn start(settings: ServerSettings) -> Result<Self> {
        let cannot = || {
            Fault::new(FaultKind::Git, format!("cannot listen on {}", settings.address))
                .hint("another program may use the port: name another one with --listen")
        };
        if !settings.address.ip().is_loopback()
            && settings.storage.tokens().await.context("cannot read the tokens")?.is_empty()
        {
            let what =
                format!("{} can be reached from other machines, and no client could show a token", settings.address);
            let hint = "make one first: host serve --add-token NAME; or listen on 127.0.0.1";
            return Err(Fault::new(FaultKind::Usage, what).hint(hint).into());
        }
        let listener = TcpListener::bind(settings.address).await.with_context(cannot)?;
        let address = listener.local_addr().with_context(cannot)?;
        let (end, ends) = watch::channel(false);
        let shared = Arc::new(ServerState {
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
            traces: settings.traces,
        });
        let router = router(&shared, settings.pages);
        tokio::spawn(clean(Arc::clone(&shared), settings.retention));
        let is_encrypted = settings.tls.is_some();
        let accepting = tokio::spawn(accept(listener, settings.tls, router, shared));
        Ok(Server { address, is_encrypted, end, accepting, storage: settings.storage })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:29030`; with TLS `https://…`.
    pub fn url(&self) -> String {
        let scheme = if self.is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Takes no new connection, answers what was begun, and closes the storage.
    pub async fn stop(self) {
        self.end.send_replace(true);
        let _ = self.accepting.await;
        self.storage.close().await;
    }
}

/// Removes what need not be kept, until the server ends.
async fn clean(shared: Arc<ServerState>, keep: Retention) {
    let mut ends = shared.ends.clone();
    let mut wait = keep.first;
    while tokio::time::timeout(wait, ends.wait_for(|ends| *ends)).await.is_err() {
        wait = CLEANING;
        let cleaned = async {
            let now = shared.storage.now().await?;
            prune(&*shared.storage, &keep, now, |kind, rows| shared.metrics.removed(kind, rows)).await
        };
        let mut ends = shared.ends.clone();
        tokio::select! {
            // The next time does what this one could not.
            done = cleaned => if let Err(error) = done {
                tracing::warn!("cannot remove what is old: {error}");
            },
            _ = ends.wait_for(|ends| *ends) => return,
        }
    }
}
