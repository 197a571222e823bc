//! `/events`: events come in batches and go out as a stream (server-sent events).
//!
//! `id` is the server's sequence number. A client that comes back with `Last-Event-ID` gets what it missed; if that is too much, or not
//! known here, it gets an event `resync`, and reads the state anew. A comment every some seconds tells a quiet server from a dead one.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use guardhost_observer::wire::{Appended, EventBatch, ProblemCode, RunEvent, StoredEvent};
use hyper::body::Frame;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::problem::{Answered, Failure};
use super::queries::{name, optional_name};
use super::shared::ServerState;
use crate::metrics::TurnedAway;
use crate::storage::EventQuery;
use crate::tokens::Scope;

/// Events of one batch.
const BATCH: usize = 1_000;
/// Events that a client that comes back is sent; for more it has to read anew.
const REPLAY: u64 = 10_000;
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Other servers on the same database add events without a word to this one.
const POLL: Duration = Duration::from_millis(250);
/// Events that are read at a time for a client that listens, once it has taken those before: what is kept for one that takes none.
const PAGE: usize = 4;

pub async fn append(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    body: Result<Json<EventBatch>, JsonRejection>,
) -> Answered<Appended> {
    let Json(mut batch) = body?;
    batch.repo = scope.repo_of_body(batch.repo)?;
    optional_name("repo", &batch.repo)?;
    name("run", &batch.run)?;
    if batch.events.is_empty() || batch.events.len() > BATCH {
        return Err(Failure::bad(format!("a batch has 1 to {BATCH} events")));
    }
    for event in &batch.events {
        name("name", &event.name)?;
        if event.data_bytes() > RunEvent::MAX_DATA_BYTES {
            return Err(Failure::new(ProblemCode::TooLarge, "the data of an event has at most 1 MiB of JSON"));
        }
    }
    let appended = shared.storage.append(batch).await?;
    shared.metrics.appended(appended.added);
    shared.appended.send_replace(appended.last_seq);
    Ok(Json(appended))
}

#[derive(Deserialize)]
pub struct EventsQuery {
    repo: Option<String>,
    run: Option<String>,
    /// The same as `Last-Event-ID`; 0 for all that is kept. Without either only what comes from now on.
    after: Option<u64>,
}

pub async fn listen(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    headers: HeaderMap,
    query: Result<Query<EventsQuery>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(asked) = query?;
    let last_id = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let query = EventQuery { repo: scope.repo(asked.repo)?, run: asked.run, after: 0, limit: PAGE as u32 };
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        shared.metrics.turned_away(TurnedAway::Streams);
        return Err(Failure::new(ProblemCode::TooMany, "too many clients listen: try again later"));
    };
    let (oldest, newest) = shared.storage.event_bounds().await?;
    let (sender, receiver) = mpsc::channel(PAGE);
    let listener = EventListener { shared, query, sender, _place: place };
    tokio::spawn(listener.run(last_id.or(asked.after), oldest, newest));
    let headers = [
        ("content-type", "text/event-stream; charset=utf-8"),
        ("cache-control", "no-store"),
        // Proxies hold answers back otherwise.
        ("x-accel-buffering", "no"),
    ];
    Ok((headers, Body::new(Stream(receiver))).into_response())
}

struct EventListener {
    shared: Arc<ServerState>,
    query: EventQuery,
    sender: mpsc::Sender<Bytes>,
    _place: OwnedSemaphorePermit,
}

/// The client is gone, or the server ends.
struct Over;

impl EventListener {
    async fn run(mut self, after: Option<u64>, oldest: u64, newest: u64) {
        self.shared.metrics.streams.inc();
        let _ = self.send_all(after, oldest, newest).await;
        self.shared.metrics.streams.dec();
    }

    async fn send_all(&mut self, after: Option<u64>, oldest: u64, newest: u64) -> Result<(), Over> {
        self.send("retry: 1000\n\n".to_owned()).await?;
        self.query.after = match after {
            // From another database, too far back, or no longer kept.
            Some(after) if after > newest || newest - after > REPLAY || after + 1 < oldest && after > 0 => {
                let bounds = serde_json::json!({ "oldest": oldest, "newest": newest });
                self.send(format!("id: {newest}\nevent: resync\ndata: {bounds}\n\n")).await?;
                newest
            }
            Some(after) => after,
            None => newest,
        };
        let mut appended = self.shared.appended.subscribe();
        let mut ends = self.shared.ends.clone();
        let mut quiet = tokio::time::Instant::now();
        loop {
            // Nothing is read for a client that has not taken what it was sent.
            let places = self.sender.reserve_many(PAGE).await.map_err(|_| Over)?;
            let events = self.shared.storage.events(self.query.clone()).await.map_err(|_| Over)?;
            let read = events.len();
            for (event, place) in events.into_iter().zip(places) {
                self.query.after = event.seq;
                place.send(text(&event).into());
                quiet = tokio::time::Instant::now();
            }
            if read == PAGE {
                continue;
            }
            if quiet.elapsed() >= HEARTBEAT {
                self.send(": alive\n\n".to_owned()).await?;
                quiet = tokio::time::Instant::now();
            }
            tokio::select! {
                _ = tokio::time::timeout(POLL, appended.changed()) => {}
                _ = ends.wait_for(|ends| *ends) => return Err(Over),
                () = self.sender.closed() => return Err(Over),
            }
        }
    }

    async fn send(&self, text: String) -> Result<(), Over> {
        self.sender.send(text.into()).await.map_err(|_| Over)
    }
}

/// One event of the stream. JSON has no line breaks of its own, and names were checked for control characters.
fn text(event: &StoredEvent) -> String {
    let data = serde_json::to_string(event).unwrap_or_default();
    format!("id: {}\nevent: {}\ndata: {data}\n\n", event.seq, event.event.name)
}

/// The body of a stream: what comes through a channel.
struct Stream(mpsc::Receiver<Bytes>);

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
