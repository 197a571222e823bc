//! What a fleet adds to a judgement, and what its queues carry: `cargo bench -p guardhost-fleet`. Jobs are judged in no time here.

#[path = "../../../../tests/support/nats.rs"]
mod nats;
#[path = "../../../../tests/support/servers.rs"]
mod servers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use guardhost_fleet::job::{Change, Class, Job, ObjectSource};
use guardhost_fleet::keys::{KnownKeys, WorkerKey};
use guardhost_fleet::queue::Address;
use guardhost_fleet::result::{JobRuling, JobVerdict};
use guardhost_fleet::settings::FleetSettings;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use guardhost_fleet::worker::{How, JobFailure, Judge, Worker};
use tokio::sync::watch;

const LONG: Duration = Duration::from_secs(60);
/// One after the other: what one job waits.
const ALONE: u32 = 500;
/// As many at once as there are submitters: what a queue carries.
const TOGETHER: u32 = 5000;
const SUBMITTERS: u32 = 32;

struct Nothing;

#[async_trait]
impl Judge for Nothing {
    async fn judge(&self, _: &Job, _: How) -> Result<JobRuling, JobFailure> {
        // As long as the report of a small change under the default set.
        let report = "x".repeat(6000);
        Ok(JobRuling {
            report,
            verdict: JobVerdict::Accepted,
            is_doubtful: false,
            notices: vec![],
            reused_from: vec![],
        })
    }
}

fn job(number: u32) -> Job {
    let change = Change {
        repository: "0".repeat(32),
        base: "a".repeat(40),
        tree: format!("{number:040x}"),
        tip: None,
        rules: None,
        is_made_merge: false,
        message: None,
        task: None,
        policy: "c".repeat(64),
    };
    Job::new(Class::Fast, change, ObjectSource::default()).unwrap()
}

/// Seconds that a process computed.
fn computed(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // Behind the name, which may hold anything: the 12th and 13th field, in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Returns when each has its result.
async fn submit_all(submitter: &Arc<Submitter>) {
    let submitting = (0..SUBMITTERS).map(|part| {
        let submitter = submitter.clone();
        tokio::spawn(async move {
            for number in (0..TOGETHER).filter(|number| number % SUBMITTERS == part) {
                submitter.submit(&job(ALONE + number), LONG).await.unwrap();
            }
        })
    });
    for each in submitting.collect::<Vec<_>>() {
        each.await.unwrap();
    }
}

/// `server` is its process, where it is one.
async fn measure(name: &str, address: &str, server: Option<u32>) {
    let address: Address = address.parse().unwrap();
    let settings = FleetSettings::default();
    // A queue in memory is one value; the others are one connection a machine.
    let first = address.open(settings.clone()).await.unwrap();
    let open = || async {
        match address {
            Address::Memory => first.clone(),
            Address::Nats(_) | Address::Postgres(_) => address.open(settings.clone()).await.unwrap(),
        }
    };
    let (end, ends) = watch::channel(false);
    let mut known = KnownKeys::default();
    let mut working = Vec::new();
    for number in 0..3_u8 {
        let key = Arc::new(WorkerKey::from_seed(&format!("w{number}"), &[number; 32]).unwrap());
        known = known.with(&key);
        let worker = Worker {
            queue: open().await,
            judge: Arc::new(Nothing),
            key,
            known: known.clone(),
            settings: settings.clone(),
            fast: 4,
            heavy: 0,
            version: "1".into(),
            state: Default::default(),
            breaker: Default::default(),
            spent: Default::default(),
        };
        working.push(tokio::spawn(Arc::new(worker).run(ends.clone())));
    }
    let submitter = Arc::new(Submitter { queue: open().await, known, audited: 0 });
    let mut waits = Vec::new();
    for number in 0..ALONE {
        let begun = Instant::now();
        let answer = submitter.submit(&job(number), LONG).await.unwrap();
        assert!(matches!(answer, SubmitAnswer::Judged(_)), "{answer:?}");
        waits.push(begun.elapsed());
    }
    waits.sort();
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!("{name}: one job waits {:.2} ms (p50), {:.2} ms (p99), {:.2} ms (most)", at(0.5), at(0.99), at(1.0));
    let (begun, computed_before) = (Instant::now(), server.map(computed));
    submit_all(&submitter).await;
    println!("{name}: {:.0} jobs a second", f64::from(TOGETHER) / begun.elapsed().as_secs_f64());
    if let Some((server, before)) = server.zip(computed_before) {
        let micros = (computed(server) - before) * 1e6 / f64::from(TOGETHER);
        println!("{name}: the server computes {micros:.0} µs for each job");
    }
    let begun = Instant::now();
    submit_all(&submitter).await;
    println!(
        "{name}: {:.0} jobs a second that were judged before",
        f64::from(TOGETHER) / begun.elapsed().as_secs_f64()
    );
    end.send_replace(true);
    for each in working {
        each.await.unwrap().unwrap();
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        measure("memory", "memory:", None).await;
        let folder = std::env::temp_dir().join(format!("fleet-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(nats) = nats::Nats::new(&folder) {
            let running = nats.start();
            measure("nats", &nats.address(), Some(running.pid())).await;
        }
        for installed in servers::postgres() {
            for durable in [false, true] {
                let folder = folder.join(format!("{durable}{}", servers::free_port()));
                std::fs::create_dir_all(&folder).unwrap();
                std::os::unix::fs::chown(folder.parent().unwrap(), Some(65534), Some(65534)).ok();
                let running = installed.start(&folder, durable);
                let name = format!("{}, fsync {}", installed.version, if durable { "on" } else { "off" });
                measure(&name, &format!("postgresql://test@127.0.0.1:{}/postgres", running.port), None).await;
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    });
}
