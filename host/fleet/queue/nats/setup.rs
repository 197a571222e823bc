//! What the queue keeps at a NATS server, and how it is made. Whoever comes first makes it; whoever comes later brings it to the same form.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, kv};

use super::retry::retry;
use crate::job::Lane;
use crate::queue::status::GONE;
use crate::queue::{QueueError, Result};
use crate::settings::Settings;

/// The durable consumer of each stream of jobs.
pub const WORKERS: &str = "workers";
/// A job that is submitted again within this time is recognised by its name alone. Later, by its result.
const DUPLICATES: Duration = Duration::from_secs(60 * 60);
/// Pulls that wait at the server, and jobs that are leased at once: some thousand workers.
const MOST_PULLS: i64 = 20_000;
const ALARMS: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// One lane: its stream, and the consumer that hands its jobs out.
#[derive(Clone)]
pub struct LaneStream {
    pub lane: Lane,
    pub subject: String,
    pub stream: Stream,
    pub workers: Consumer<pull::Config>,
}

/// Everything.
pub struct Kept {
    pub lanes: Vec<LaneStream>,
    pub results: kv::Store,
    pub dead: kv::Store,
    pub workers: kv::Store,
    pub objects: ObjectStore,
    /// One message for each name.
    pub verdicts: Stream,
    pub alarms: Stream,
    /// What the server says of messages that it handed out too often.
    pub exhausted: Consumer<pull::Config>,
}

pub async fn set_up(jetstream: &Context, settings: &Settings) -> Result<Kept> {
    let name = |what: &str| format!("{}-{what}", settings.name);
    let (keep, bytes) = (settings.keep, i64::try_from(settings.most_bytes).unwrap_or(i64::MAX));
    let mut lanes = Vec::new();
    for lane in Lane::ALL {
        lanes.push(lane_stream(jetstream, settings, lane).await?);
    }
    let bucket = |what: &str, max_age| kv::Config { bucket: name(what), max_age, ..kv::Config::default() };
    let advisory = |lane: Lane| {
        let stream = name(lane.word());
        format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.{WORKERS}")
    };
    let exhausted = Config {
        name: name("exhausted"),
        subjects: Lane::ALL.into_iter().map(advisory).collect(),
        retention: RetentionPolicy::WorkQueue,
        max_age: keep,
        ..Config::default()
    };
    let exhausted = stream(jetstream, settings, exhausted).await?;
    let verdicts = Config {
        name: name("verdicts"),
        subjects: vec![format!("{}.verdicts.*", settings.name)],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        max_bytes: bytes,
        max_age: keep,
        allow_direct: true,
        ..Config::default()
    };
    let alarms = Config {
        name: name("alarms"),
        subjects: vec![format!("{}.alarms", settings.name)],
        max_age: ALARMS,
        max_messages: 10_000,
        ..Config::default()
    };
    let objects =
        object_store::Config { bucket: name("objects"), max_age: keep, max_bytes: bytes, ..Default::default() };
    Ok(Kept {
        lanes,
        results: key_value(jetstream, settings, bucket("results", keep)).await?,
        dead: key_value(jetstream, settings, bucket("dead", keep)).await?,
        workers: key_value(jetstream, settings, bucket("workers", GONE)).await?,
        objects: patiently(settings, || jetstream.create_object_store(objects.clone())).await?,
        verdicts: stream(jetstream, settings, verdicts).await?,
        alarms: stream(jetstream, settings, alarms).await?,
        exhausted: consumer(&exhausted, settings, "buriers", Duration::from_secs(10), -1).await?,
    })
}

async fn lane_stream(jetstream: &Context, settings: &Settings, lane: Lane) -> Result<LaneStream> {
    let subject = format!("{}.jobs.{lane}", settings.name);
    let config = Config {
        name: format!("{}-{lane}", settings.name),
        subjects: vec![subject.clone()],
        retention: RetentionPolicy::WorkQueue,
        // New jobs are refused, and old ones are never dropped.
        discard: DiscardPolicy::New,
        max_messages: i64::try_from(settings.most_waiting).unwrap_or(i64::MAX),
        duplicate_window: DUPLICATES,
        ..Config::default()
    };
    let stream = stream(jetstream, settings, config).await?;
    let workers = consumer(&stream, settings, WORKERS, settings.lease, i64::from(settings.deliveries)).await?;
    Ok(LaneStream { lane, subject, stream, workers })
}

async fn stream(jetstream: &Context, settings: &Settings, config: Config) -> Result<Stream> {
    patiently(settings, || jetstream.create_or_update_stream(config.clone())).await?;
    patiently(settings, || jetstream.get_stream(&config.name)).await
}

async fn key_value(jetstream: &Context, settings: &Settings, config: kv::Config) -> Result<kv::Store> {
    patiently(settings, || jetstream.create_or_update_key_value(config.clone())).await
}

async fn consumer(
    stream: &Stream,
    settings: &Settings,
    name: &str,
    ack_wait: Duration,
    max_deliver: i64,
) -> Result<Consumer<pull::Config>> {
    let config = pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver,
        max_waiting: MOST_PULLS,
        max_ack_pending: MOST_PULLS,
        ..pull::Config::default()
    };
    patiently(settings, || stream.create_consumer(config.clone())).await
}

/// A server that says no will say so again, but while it starts, it says no to everything.
async fn patiently<T, E: std::error::Error, F: Future<Output = std::result::Result<T, E>>>(
    settings: &Settings,
    operation: impl FnMut() -> F,
) -> Result<T> {
    // A word of JetStream about the request, not about the connection.
    let is_final = |error: &E| {
        let text = error.to_string();
        ["insufficient", "not supported", "overlap", "permission", "maximum"].iter().any(|word| text.contains(word))
    };
    let done = retry(settings.patience, is_final, operation).await;
    done.unwrap_or_else(|error| Err(QueueError::Refused(error.to_string())))
}
