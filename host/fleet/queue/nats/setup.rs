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
use crate::settings::FleetSettings;

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
pub struct QueueStreams {
    pub lanes: Vec<LaneStream>,
    pub results: kv::Store,
    pub dead: kv::Store,
    /// What is known of jobs that came back.
    pub history: kv::Store,
    pub workers: kv::Store,
    pub objects: ObjectStore,
    /// One message for each name.
    pub verdicts: Stream,
    pub alarms: Stream,
}

pub async fn set_up(jetstream: &Context, settings: &FleetSettings) -> Result<QueueStreams> {
    let name = |what: &str| format!("{}-{what}", settings.name);
    let (keep, bytes) = (settings.keep, i64::try_from(settings.most_bytes).unwrap_or(i64::MAX));
    let mut lanes = Vec::new();
    for lane in Lane::ALL {
        lanes.push(lane_stream(jetstream, settings, lane).await?);
    }
    let bucket = |what: &str, max_age| kv::Config { bucket: name(what), max_age, ..kv::Config::default() };
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
    Ok(QueueStreams {
        lanes,
        results: key_value(jetstream, settings, bucket("results", keep)).await?,
        dead: key_value(jetstream, settings, bucket("dead", keep)).await?,
        history: key_value(jetstream, settings, bucket("history", keep)).await?,
        workers: key_value(jetstream, settings, bucket("workers", GONE)).await?,
        objects: object_store(jetstream, settings, objects).await?,
        verdicts: stream(jetstream, settings, verdicts).await?,
        alarms: stream(jetstream, settings, alarms).await?,
    })
}

async fn lane_stream(jetstream: &Context, settings: &FleetSettings, lane: Lane) -> Result<LaneStream> {
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
    let workers = consumer(&stream, settings, WORKERS, settings.lease).await?;
    Ok(LaneStream { lane, subject, stream, workers })
}

/// Made, or brought to this form, only where it differs: to ask costs the server a tenth of what a change costs.
async fn stream(jetstream: &Context, settings: &FleetSettings, config: Config) -> Result<Stream> {
    if let Ok(present) = jetstream.get_stream(&config.name).await
        && is_same(&present.cached_info().config, &config)
    {
        return Ok(present);
    }
    patiently(settings, || jetstream.create_or_update_stream(config.clone())).await?;
    patiently(settings, || jetstream.get_stream(&config.name)).await
}

/// What this program sets. Servers fill in the rest.
fn is_same(present: &Config, wanted: &Config) -> bool {
    // A server says -1 for no limit, where nothing was asked for.
    let limit = |number: i64| number.max(0);
    present.subjects == wanted.subjects
        && present.retention == wanted.retention
        && present.discard == wanted.discard
        && present.max_age == wanted.max_age
        && present.allow_direct == wanted.allow_direct
        && limit(present.max_messages) == limit(wanted.max_messages)
        && limit(present.max_bytes) == limit(wanted.max_bytes)
        && limit(present.max_messages_per_subject) == limit(wanted.max_messages_per_subject)
        && (wanted.duplicate_window.is_zero() || present.duplicate_window == wanted.duplicate_window)
}

async fn key_value(jetstream: &Context, settings: &FleetSettings, config: kv::Config) -> Result<kv::Store> {
    if let Ok(present) = jetstream.get_key_value(&config.bucket).await
        && present.stream.cached_info().config.max_age == config.max_age
    {
        return Ok(present);
    }
    patiently(settings, || jetstream.create_or_update_key_value(config.clone())).await
}

async fn object_store(
    jetstream: &Context,
    settings: &FleetSettings,
    config: object_store::Config,
) -> Result<ObjectStore> {
    let present = jetstream.get_stream(format!("OBJ_{}", config.bucket)).await;
    let is_there = present.is_ok_and(|present| {
        let present = &present.cached_info().config;
        present.max_age == config.max_age && present.max_bytes == config.max_bytes
    });
    if is_there && let Ok(store) = jetstream.get_object_store(&config.bucket).await {
        return Ok(store);
    }
    patiently(settings, || jetstream.create_object_store(config.clone())).await
}

/// Messages come back until they are answered, however often: workers say when a job is put aside.
async fn consumer(
    stream: &Stream,
    settings: &FleetSettings,
    name: &str,
    ack_wait: Duration,
) -> Result<Consumer<pull::Config>> {
    let config = pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver: -1,
        max_waiting: MOST_PULLS,
        max_ack_pending: MOST_PULLS,
        ..pull::Config::default()
    };
    if let Ok(present) = stream.get_consumer::<pull::Config>(name).await {
        let present_config = &present.cached_info().config;
        if present_config.ack_wait == ack_wait && present_config.max_deliver <= 0 {
            return Ok(present);
        }
    }
    patiently(settings, || stream.create_consumer(config.clone())).await
}

/// A server that says no will say so again, but while it starts, it says no to everything.
async fn patiently<T, E: std::error::Error, F: Future<Output = std::result::Result<T, E>>>(
    settings: &FleetSettings,
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
