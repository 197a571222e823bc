//! Accepts connections: at most so many, each with a time for its handshake and for the head of its request; ends them gracefully.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::shared::ServerState;
use super::tls::Tls;
use crate::metrics::TurnedAway;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Bytes of a request's head.
const HEAD: usize = 64 << 10;

/// Answers until the server is to end, and then what was begun, for a while.
pub async fn accept(listener: TcpListener, tls: Option<Tls>, router: Router, shared: Arc<ServerState>) {
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    let open = GracefulShutdown::new();
    let mut ends = shared.ends.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ends.wait_for(|ends| *ends) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most likely no file may be opened any more: some will be closed.
                tracing::error!("cannot accept a connection: {error}");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            shared.metrics.turned_away(TurnedAway::Connections);
            continue;
        };
        // An answer is one small write: it must not wait for more.
        let _ = stream.set_nodelay(true);
        let router = router.clone().layer(Extension(Peer(peer)));
        let connection = Connection { router, watcher: open.watcher(), shared: Arc::clone(&shared) };
        let tls = tls.clone();
        tokio::spawn(async move {
            connection.answer(stream, tls).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(shared.limits.shutdown, open.shutdown()).await;
}

struct Connection {
    router: Router,
    watcher: Watcher,
    shared: Arc<ServerState>,
}

impl Connection {
    async fn answer(self, stream: TcpStream, tls: Option<Tls>) {
        let Some(Tls(tls)) = tls else { return self.serve(stream).await };
        match tokio::time::timeout(self.shared.limits.head, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.serve(stream).await,
            // It speaks no TLS, does not trust the certificate, or takes too long.
            Ok(Err(_)) | Err(_) => self.shared.metrics.turned_away(TurnedAway::Handshake),
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let Connection { router, watcher, shared } = self;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(shared.limits.head).max_buf_size(HEAD);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
        shared.metrics.connections.inc();
        // A client that hangs up, or speaks no HTTP, is its own concern.
        let _ = watcher.watch(connection).await;
        shared.metrics.connections.dec();
    }
}
