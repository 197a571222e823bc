//! A receiver of the forge's webhook: a delivery that is signed ends a wait early, so that the forge is asked at once.
//!
//! What it takes is bounded: connections, the time of each, the bytes of a body. Nothing of a delivery but that there is news leaves it.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use guardhost_core::stop::{StopToken, Stopped};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderMap;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

use super::connections::{OpenConnection, OpenConnections};
use super::webhook::{Delivery, MAX_BODY_BYTES, News, RefusedDelivery, Webhook, signature};
use crate::http::Pause;

/// For the head of a request. A forge sends it at once.
const HEAD: Duration = Duration::from_secs(5);
/// For one delivery, from its first byte to its answer: GitHub waits ten seconds for one.
const LONGEST: Duration = Duration::from_secs(10);
/// Bytes of all bodies that are being received, of which one may have 25 MiB.
const ALL_BODIES: usize = 64 << 20;
/// For the deliveries that come with the first: a build has one for each of its jobs.
const TOGETHER: Duration = Duration::from_secs(2);

/// Listens until it is dropped.
pub struct Receiver {
    /// Where it listens in fact.
    pub address: SocketAddr,
    news: mpsc::Receiver<News>,
    stop: StopToken,
    /// Dropped with the receiver, which ends its thread.
    _over: oneshot::Sender<()>,
}

impl Receiver {
    /// # Errors
    /// The address cannot be listened on.
    pub fn start(address: SocketAddr, webhook: Webhook, stop: StopToken) -> io::Result<Self> {
        let (sender, news) = mpsc::channel();
        let hand_on = move |news: &News| {
            // Nobody waits any more: the command is at its end.
            let _ = sender.send(news.clone());
            Ok(())
        };
        Self::listen(address, webhook, stop, Box::new(hand_on), news)
    }

    /// `keep` writes news down before the forge is told that they arrived; what cannot be kept is answered with 503, and read again if it
    /// comes again. Nothing comes out of the receiver itself.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub fn keeping(address: SocketAddr, webhook: Webhook, stop: StopToken, keep: Box<Keep>) -> io::Result<Self> {
        Self::listen(address, webhook, stop, keep, mpsc::channel().1)
    }

    fn listen(
        address: SocketAddr,
        webhook: Webhook,
        stop: StopToken,
        keep: Box<Keep>,
        news: mpsc::Receiver<News>,
    ) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (over, is_over) = oneshot::channel();
        let shared = Arc::new(ListenerState { webhook: Mutex::new(webhook), keep, bodies: Semaphore::new(ALL_BODIES) });
        std::thread::Builder::new()
            .name("webhook".into())
            .spawn(move || runtime.block_on(serve(listener, shared, is_over)))?;
        Ok(Receiver { address, news, stop, _over: over })
    }

    /// The next news; None after this time.
    ///
    /// # Errors
    /// The command was stopped meanwhile.
    pub fn next(&self, wait: Duration) -> Result<Option<News>, Stopped> {
        let end = Instant::now() + wait;
        loop {
            self.stop.check()?;
            let left = end.saturating_duration_since(Instant::now());
            match self.news.recv_timeout(left.min(Duration::from_millis(100))) {
                Ok(news) => return Ok(Some(news)),
                Err(_) if left.is_zero() => return Ok(None),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                // The thread has ended: what is left is to ask after each interval.
                Err(mpsc::RecvTimeoutError::Disconnected) => std::thread::sleep(left.min(Duration::from_millis(100))),
            }
        }
    }
}

impl Pause for Receiver {
    fn pause(&self, pause: Duration, _: &str) -> Result<(), Stopped> {
        if self.next(pause)?.is_some() {
            while self.next(TOGETHER.min(pause))?.is_some() {}
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// What is done with news before its delivery is answered. It says itself why it failed.
pub type Keep = dyn Fn(&News) -> io::Result<()> + Send + Sync;

struct ListenerState {
    webhook: Mutex<Webhook>,
    keep: Box<Keep>,
    /// A permit is a byte.
    bodies: Semaphore,
}

async fn serve(listener: std::net::TcpListener, shared: Arc<ListenerState>, mut over: oneshot::Receiver<()>) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let open = Arc::new(OpenConnections::default());
    loop {
        let accepted = tokio::select! {
            _ = &mut over => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            // Too many open files, for one.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Some(place) = open.admit(peer.ip(), Instant::now()) else { continue };
        let (shared, open) = (Arc::clone(&shared), Arc::clone(&open));
        tokio::spawn(async move {
            let service = service_fn(|request| {
                place.begins();
                answer(request, &shared, &place)
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD).keep_alive(false);
            tokio::select! {
                _ = tokio::time::timeout(LONGEST, builder.serve_connection(TokioIo::new(stream), service)) => {}
                () = place.ends.notified() => {}
            }
            open.remove(&place);
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    shared: &ListenerState,
    place: &OpenConnection,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let mut response = Response::new(Empty::new());
    *response.status_mut() = read(request, shared, place).await;
    Ok(response)
}

async fn read(request: Request<Incoming>, shared: &ListenerState, place: &OpenConnection) -> StatusCode {
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    let (head, body) = request.into_parts();
    // A body that nobody signed is not waited for.
    if signature(header(&head.headers, "x-hub-signature-256")).is_none() {
        return StatusCode::UNAUTHORIZED;
    }
    if header(&head.headers, "content-length").parse().is_ok_and(|length: usize| length > MAX_BODY_BYTES) {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    let mut places = Vec::new();
    let body = match whole_body(body, &shared.bodies, &mut places).await {
        Ok(body) => body,
        Err(status) => return status,
    };
    place.is_complete();
    let delivery = Delivery {
        event: header(&head.headers, "x-github-event"),
        id: header(&head.headers, "x-github-delivery"),
        signature: header(&head.headers, "x-hub-signature-256"),
        body: &body,
    };
    let mut webhook = shared.webhook.lock().unwrap_or_else(PoisonError::into_inner);
    match webhook.read(delivery) {
        Ok(News::Nothing) => {
            let _ = webhook.remember(delivery);
            StatusCode::OK
        }
        Ok(News::Again) => StatusCode::OK,
        Ok(news @ (News::Builds { .. } | News::Pull(_) | News::Branch { .. })) => {
            if (shared.keep)(&news).is_err() {
                return StatusCode::SERVICE_UNAVAILABLE;
            }
            // What cannot be remembered may come again, and is judged again.
            let _ = webhook.remember(delivery);
            StatusCode::ACCEPTED
        }
        Err(RefusedDelivery::Signature) => StatusCode::UNAUTHORIZED,
        Err(RefusedDelivery::TooLong) => StatusCode::PAYLOAD_TOO_LARGE,
        Err(RefusedDelivery::NoId | RefusedDelivery::Form(_)) => StatusCode::BAD_REQUEST,
    }
}

/// The bytes of a body, each of which has a place of its own until `places` is dropped.
async fn whole_body<'s>(
    mut body: Incoming,
    bodies: &'s Semaphore,
    places: &mut Vec<SemaphorePermit<'s>>,
) -> Result<Vec<u8>, StatusCode> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| StatusCode::BAD_REQUEST)?.into_data() else { continue };
        if whole.len() + data.len() > MAX_BODY_BYTES {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let bytes = u32::try_from(data.len()).map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
        places.push(bodies.try_acquire_many(bytes).map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?);
        whole.extend_from_slice(&data);
    }
    Ok(whole)
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
