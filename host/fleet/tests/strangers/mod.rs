//! What somebody who reaches a server of NATS, and has no key, can put there beside the program: no job is without a verdict for it.

mod postgres;

use std::sync::Arc;
use std::time::Duration;

use crate::conformance::{LONG, job, settings, signed};
use async_nats::HeaderMap;
use async_nats::jetstream::{self, Context};
use guardhost_fleet::failure::DeadCause;
use guardhost_fleet::hex;
use guardhost_fleet::job::{Job, Lane};
use guardhost_fleet::keys::{KnownKeys, WorkerKey};
use guardhost_fleet::queue::{Address, Claimed, Completed, Ended, Queue, Submitted, WorkerBeat};
use guardhost_fleet::settings::FleetSettings;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};

const FLEET: &str = "test-strangers";

/// A stranger with a connection of their own.
struct Stranger(Context);

impl Stranger {
    async fn at(address: &str) -> Self {
        Stranger(jetstream::new(async_nats::connect(address).await.unwrap()))
    }

    /// A message in the stream of jobs that has a name.
    async fn takes_name(&self, name: &str, payload: &'static str) {
        let mut headers = HeaderMap::new();
        headers.insert(async_nats::header::NATS_MESSAGE_ID, name);
        let subject = format!("{FLEET}.jobs.fast");
        self.0.publish_with_headers(subject, headers, payload.into()).await.unwrap().await.unwrap();
    }

    async fn puts_result(&self, job: &Job, value: Vec<u8>) {
        let results = self.0.get_key_value(format!("{FLEET}-results")).await.unwrap();
        results.put(job.id().as_str(), value.into()).await.unwrap();
    }

    async fn puts_object(&self, name: &str, mut bytes: &[u8]) {
        let objects = self.0.get_object_store(format!("{FLEET}-objects")).await.unwrap();
        objects.put(name, &mut bytes).await.unwrap();
    }
}

/// The next job; what is none is left to others.
async fn next(queue: &Arc<dyn Queue>) -> Claimed {
    let begun = std::time::Instant::now();
    loop {
        if let Some(claimed) = queue.claim("w", Lane::Fast, Duration::from_secs(1)).await.unwrap() {
            return claimed;
        }
        assert!(begun.elapsed() < LONG, "no job");
    }
}

async fn nothing_waits(queue: &Arc<dyn Queue>) {
    assert!(queue.claim("w", Lane::Fast, Duration::ZERO).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_stranger_keeps_a_job_from_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = crate::nats::Nats::new(folder.path()) else { return };
    let _server = nats.start();
    let address: Address = nats.address().parse().unwrap();
    let queue = address.open(settings("strangers")).await.unwrap();
    let stranger = Stranger::at(&nats.address()).await;
    names_that_are_taken(&queue, &stranger).await;
    objects_of_other_bytes(&queue, &stranger).await;
    results_in_the_name_of_a_worker(&queue, &stranger).await;
    let believed = Some(KnownKeys::default().with(&worker_key()));
    let queue = address.open(FleetSettings { believed, ..settings("strangers") }).await.unwrap();
    results_of_a_worker_that_nobody_lists(&queue, &stranger).await;
}

fn worker_key() -> WorkerKey {
    WorkerKey::from_seed("one", &[3; 32]).unwrap()
}

async fn names_that_are_taken(queue: &Arc<dyn Queue>, stranger: &Stranger) {
    stranger.takes_name(job(1).id().as_str(), "{}").await;
    queue.submit(&job(1)).await.unwrap();
    let claimed = next(queue).await;
    assert_eq!(claimed.job, job(1));
    // It waits once all the same, while its message is there.
    queue.submit(&job(2)).await.unwrap();
    assert_eq!(queue.submit(&job(2)).await.unwrap(), Submitted::Waiting);
    let second = next(queue).await;
    assert_eq!(second.job, job(2));
    queue.end(second.lease).await.unwrap();
    nothing_waits(queue).await;
    // A job that was put aside, and whose next name is taken.
    queue.bury(claimed.lease, 1, DeadCause::NoWorker, "nobody").await.unwrap();
    let number = queue.dead(&job(1).id()).await.unwrap().expect("it is dead").retries + 1;
    stranger.takes_name(&format!("{}.{number}", job(1).id()), "{}").await;
    assert!(queue.retry(&job(1).id(), None).await.unwrap());
    let again = next(queue).await;
    assert_eq!((&again.job, queue.dead(&job(1).id()).await.unwrap()), (&job(1), None));
    // It was taken in again once, whatever the name was.
    queue.bury(again.lease, 1, DeadCause::NoWorker, "nobody").await.unwrap();
    assert_eq!(queue.dead(&job(1).id()).await.unwrap().map(|dead| dead.retries), Some(number));
}

async fn objects_of_other_bytes(queue: &Arc<dyn Queue>, stranger: &Stranger) {
    let name = "a".repeat(64);
    stranger.puts_object(&name, b"other").await;
    assert_eq!(queue.object(&name).await.unwrap(), None);
    let honest = hex::sha256(b"bytes");
    stranger.puts_object(&honest, b"setyb").await;
    assert_eq!(queue.put_object(b"bytes").await.unwrap(), honest);
    assert_eq!(queue.object(&honest).await.unwrap(), Some(b"bytes".to_vec()));
    // In the place of a result, it is no result, and the worker's takes its place.
    queue.submit(&job(3)).await.unwrap();
    stranger.puts_result(&job(3), format!("object:{name}").into_bytes()).await;
    assert_eq!(queue.result(&job(3).id()).await.unwrap(), None);
    let own = signed(&job(3), "own", "one");
    assert_eq!(queue.complete(next(queue).await.lease, &own).await.unwrap(), Completed::First);
    assert_eq!(queue.result(&job(3).id()).await.unwrap(), Some(own));
}

/// A worker is there, and the stranger writes its key below what it never signed.
async fn results_in_the_name_of_a_worker(queue: &Arc<dyn Queue>, stranger: &Stranger) {
    let key = worker_key();
    let beat = serde_json::json!({ "name": "one", "key": key.public(), "version": "1", "slots": 1, "busy": 0,
        "judged": u64::MAX, "last_minute": u64::MAX, "is_draining": false });
    let beat: WorkerBeat = serde_json::from_value(beat).unwrap();
    for name in ["one", "two"] {
        queue.beat(&WorkerBeat { name: name.to_owned(), ..beat.clone() }, &key).await.unwrap();
    }
    // Of two workers that say the largest number.
    let metrics = guardhost_fleet::metrics::text(&queue.status().await.unwrap());
    assert!(metrics.contains(&format!("guardhost_fleet_judged_last_minute {}", u64::MAX)), "{metrics}");
    for (number, is_there_before) in [(4, true), (5, false)] {
        let job = job(number);
        let mut forged = signed(&job, "forged", "one");
        forged.report = "other".to_owned();
        if is_there_before {
            stranger.puts_result(&job, forged.to_json()).await;
        } else {
            assert_eq!(queue.submit(&job).await.unwrap(), Submitted::Accepted);
        }
        let submitter = Submitter { queue: queue.clone(), known: KnownKeys::default().with(&key), audited: 0 };
        let waiting = tokio::spawn({
            let job = job.clone();
            async move { submitter.submit(&job, LONG).await.unwrap() }
        });
        let claimed = next(queue).await;
        assert_eq!(claimed.job, job);
        if !is_there_before {
            stranger.puts_result(&job, forged.to_json()).await;
            assert!(matches!(queue.wait(&job.id(), LONG).await.unwrap(), Some(Ended::Judged(_))));
        }
        let own = signed(&job, "own", "one");
        let present = queue.complete(claimed.lease, &own).await.unwrap();
        assert_eq!(present, Completed::Present(Box::new(forged)));
        // As a worker does that finds what no known key signed.
        queue.replace_result(&job.id(), &own).await.unwrap();
        assert_eq!(waiting.await.unwrap(), SubmitAnswer::Judged(Box::new(own)));
    }
}

/// A stranger says that it is a worker, and signs a result with its own key. Where a listed worker is there, that one's result counts.
async fn results_of_a_worker_that_nobody_lists(queue: &Arc<dyn Queue>, stranger: &Stranger) {
    let (key, unlisted) = (worker_key(), WorkerKey::from_seed("stranger", &[8; 32]).unwrap());
    for (name, key) in [("one", &key), ("stranger", &unlisted)] {
        let beat = serde_json::json!({ "name": name, "key": key.public(), "version": "1", "slots": 1, "busy": 0,
            "judged": 0, "last_minute": 0, "is_draining": false });
        queue.beat(&serde_json::from_value::<WorkerBeat>(beat).unwrap(), key).await.unwrap();
    }
    let (job, forged) = (job(6), signed(&job(6), "forged", "stranger"));
    assert_eq!(forged.key, unlisted.public());
    stranger.puts_result(&job, forged.to_json()).await;
    let submitter = Submitter { queue: queue.clone(), known: KnownKeys::default().with(&key), audited: 0 };
    let waiting = tokio::spawn({
        let job = job.clone();
        async move { submitter.submit(&job, LONG).await.unwrap() }
    });
    let own = signed(&job, "own", "one");
    let claimed = next(queue).await;
    assert_eq!(queue.complete(claimed.lease, &own).await.unwrap(), Completed::Present(Box::new(forged)));
    queue.replace_result(&job.id(), &own).await.unwrap();
    assert_eq!(waiting.await.unwrap(), SubmitAnswer::Judged(Box::new(own)));
}

/// The example of docs/deployment, with a real server: submitters can do what they must, and nothing to results and jobs of others.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_keeps_submitters_from_what_is_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = crate::nats::Nats::new(folder.path()) else { return };
    let example = include_str!("../../../../docs/deployment/nats-authorization.conf");
    let config = folder.path().join("authorization.conf");
    std::fs::write(&config, example.replace("guardhost", FLEET)).unwrap();
    let _server = nats.start_with(&["-c", config.to_str().unwrap()]);
    let (worker, submitter) = (("worker", "change-this"), ("submitter", "change-this-too"));
    let open = async |(user, password): (&str, &str)| {
        let address = nats.address().replace("nats://", &format!("nats://{user}:{password}@"));
        address.parse::<Address>().unwrap().open(settings("strangers")).await.unwrap()
    };
    let (at_work, submits) = (open(worker).await, open(submitter).await);
    let forged = signed(&job(1), "forged", "stranger");
    let harm = async |(user, password): (&str, &str)| {
        let options = async_nats::ConnectOptions::with_user_and_password(user.into(), password.into());
        let client = options.connect(nats.address()).await.unwrap();
        let result = format!("$KV.{FLEET}-results.{}", job(1).id());
        client.publish(result, forged.to_json().into()).await.unwrap();
        for api in ["STREAM.PURGE", "STREAM.DELETE"] {
            client.publish(format!("$JS.API.{api}.{FLEET}-fast"), Vec::new().into()).await.unwrap();
        }
        client.flush().await.unwrap();
        // The server has heard all before it answers this.
        let _ = jetstream::new(client).get_stream(format!("KV_{FLEET}-results")).await;
    };
    assert_eq!(submits.submit(&job(1)).await.unwrap(), Submitted::Accepted);
    assert_eq!(submits.submit(&job(1)).await.unwrap(), Submitted::Waiting);
    let pack = submits.put_object(b"pack").await.unwrap();
    harm(submitter).await;
    assert_eq!(at_work.result(&job(1).id()).await.unwrap(), None);
    let claimed = next(&at_work).await;
    assert_eq!((&claimed.job, at_work.object(&pack).await.unwrap()), (&job(1), Some(b"pack".to_vec())));
    let own = signed(&job(1), "own", "one");
    assert_eq!(at_work.complete(claimed.lease, &own).await.unwrap(), Completed::First);
    assert_eq!(submits.wait(&job(1).id(), LONG).await.unwrap(), Some(Ended::Judged(Box::new(own))));
    submits.status().await.unwrap();
    // A worker could.
    harm(worker).await;
    assert_eq!(at_work.result(&job(1).id()).await.unwrap(), Some(forged));
}
