//! Sends spans beside the work, which never waits for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::{Client, Response};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::otlp;
use crate::parent::{Caller, SpanParent};
use crate::settings::TraceSettings;
use crate::span::{Clock, Span};

/// Spans that wait. A run of twenty rounds with sixty guards has about 1,400.
const WAITING: usize = 2048;
/// Spans of one request: the standard's batch.
const BATCH: usize = 512;
/// How long spans are gathered before they are sent.
const GATHER: Duration = Duration::from_millis(200);
/// How long a command waits at its end for what is not sent yet. A collector is beside the program or in its network; one that does not
/// answer for so long must not be felt more.
const LAST_WAIT: Duration = Duration::from_secs(1);
/// Bytes of an answer that are read.
const ANSWER: usize = 64 << 10;

/// Takes spans. Copies share one exporter.
#[derive(Clone)]
pub struct Traces(Arc<TraceSender>);

struct TraceSender {
    spans: Mutex<Option<SyncSender<Span>>>,
    done: Mutex<Receiver<()>>,
    /// The first thing that went wrong.
    trouble: Arc<Mutex<Option<String>>>,
    /// Spans that there was no place for.
    dropped: AtomicU64,
    clock: Clock,
    parent: SpanParent,
}

impl Traces {
    /// Starts the thread that sends; nothing is connected before the first span ends.
    ///
    /// # Errors
    /// The system gives no thread, or what the client is made of cannot be used.
    pub fn start(settings: TraceSettings) -> Result<Self, String> {
        let parent = settings.parent;
        let client = guardhost_http::builder(&settings.url, &settings.proxies)?;
        let client = client.timeout(settings.timeout).build().map_err(|error| error.without_url().to_string())?;
        let runtime = guardhost_http::runtime().map_err(|error| error.to_string())?;
        let (spans, waiting) = mpsc::sync_channel(WAITING);
        let (end, done) = mpsc::channel();
        let trouble = Arc::new(Mutex::new(None));
        let thread = Sender { settings, client, runtime, trouble: Arc::clone(&trouble), is_away: false };
        let spawned = std::thread::Builder::new().name("traces".to_owned()).spawn(move || {
            thread.run(&waiting);
            // Whoever waited longer than it may is gone.
            let _ = end.send(());
        });
        spawned.map_err(|error| error.to_string())?;
        let (spans, done) = (Mutex::new(Some(spans)), Mutex::new(done));
        let (dropped, clock) = (AtomicU64::new(0), Clock::start());
        Ok(Traces(Arc::new(TraceSender { spans, done, trouble, dropped, clock, parent })))
    }

    pub fn now(&self) -> u64 {
        self.0.clock.now()
    }

    /// What is around all spans of this program.
    pub fn parent(&self) -> SpanParent {
        self.0.parent
    }

    /// What a request says is around it. None: its caller records nothing, and so nothing of it is recorded.
    pub fn parent_from_caller(&self, traceparent: Option<&str>) -> Option<SpanParent> {
        match traceparent.map_or(Caller::None, Caller::parse) {
            Caller::None => Some(SpanParent::new()),
            Caller::Recorded(parent) => Some(parent),
            Caller::Left => None,
        }
    }

    /// Takes a span that begins at its start and ends now.
    pub fn end(&self, span: Span) {
        self.put(Span { end: self.now(), ..span });
    }

    /// Takes a span as it is. Never waits: without a place it is dropped.
    pub fn put(&self, span: Span) {
        let spans = self.0.spans.lock().unwrap_or_else(PoisonError::into_inner);
        // Full, or its receiver has ended.
        if spans.as_ref().is_some_and(|spans| spans.try_send(span).is_err()) {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits a moment for what is not sent yet. What went wrong, if anything did.
    pub fn finish(&self) -> Option<String> {
        self.0.spans.lock().unwrap_or_else(PoisonError::into_inner).take();
        let done = self.0.done.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LAST_WAIT);
        let trouble = self.0.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
        let late = || {
            let seconds = LAST_WAIT.as_secs();
            done.is_err().then(|| format!("the collector did not take all spans within {seconds} s of the end"))
        };
        let dropped = self.0.dropped.load(Ordering::Relaxed);
        let lost = || (dropped > 0).then(|| format!("{dropped} spans were dropped: the collector is too slow"));
        trouble.or_else(late).or_else(lost)
    }
}

/// The thread.
struct Sender {
    settings: TraceSettings,
    client: Client,
    runtime: Runtime,
    trouble: Arc<Mutex<Option<String>>>,
    /// The last request failed, which was said.
    is_away: bool,
}

impl Sender {
    fn run(mut self, waiting: &Receiver<Span>) {
        while let Ok(first) = waiting.recv() {
            let mut batch = vec![first];
            let end = Instant::now() + GATHER;
            let mut is_last = false;
            while batch.len() < BATCH && !is_last {
                match waiting.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(span) => batch.push(span),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => is_last = true,
                }
            }
            let sent = self.runtime.block_on(self.send(&batch));
            if let Err(why) = &sent {
                let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
                trouble.get_or_insert_with(|| why.clone());
                if !self.is_away {
                    tracing::warn!("spans are not sent: {why}");
                }
            }
            self.is_away = sent.is_err();
        }
    }

    async fn send(&self, batch: &[Span]) -> Result<(), String> {
        let body = otlp::body(&self.settings.resource, batch).to_string();
        let request = self.client.post(self.settings.url.clone()).header("content-type", "application/json");
        let headers = self.settings.headers.iter();
        let request = headers.fold(request, |request, (name, value)| request.header(name, value));
        // An address may hold a password.
        let failed = |error: reqwest::Error| format!("the collector cannot be reached: {}", error.without_url());
        let mut answer = request.body(body).send().await.map_err(failed)?;
        let status = answer.status();
        if !status.is_success() {
            return Err(format!("the collector answers {status}"));
        }
        let said: Value = serde_json::from_slice(&read(&mut answer).await.map_err(failed)?).unwrap_or_default();
        let partial = &said["partialSuccess"]["rejectedSpans"];
        // A number of 64 bits is a text in this form of JSON, and some write it as a number.
        let refused = partial.as_str().map_or(partial.as_u64().unwrap_or(0), |text| text.parse().unwrap_or(0));
        match refused {
            0 => Ok(()),
            count => Err(format!("the collector refuses {count} spans")),
        }
    }
}

async fn read(answer: &mut Response) -> reqwest::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER
        && let Some(chunk) = answer.chunk().await?
    {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
