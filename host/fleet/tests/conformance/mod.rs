//! What every queue promises. Times are those of the settings; nothing is asserted of how long anything takes.

mod ends;
mod leases;
mod rest;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::job::{Change, Class, Job, Lane, ObjectSource};
use guardhost_fleet::keys::WorkerKey;
use guardhost_fleet::queue::{Claimed, Queue};
use guardhost_fleet::result::{JobRuling, JobVerdict, SignedResult};
use guardhost_fleet::settings::FleetSettings;

/// Waits at most so long for what must come.
pub const LONG: Duration = Duration::from_secs(60);

/// Opens one more handle of the same queue, as another machine would; the name is that of the fleet.
pub type Open<'a> = &'a dyn Fn(FleetSettings) -> std::pin::Pin<Box<dyn Future<Output = Arc<dyn Queue>>>>;

/// Each part has a fleet of its own.
pub fn settings(name: &str) -> FleetSettings {
    let second = Duration::from_secs(1);
    FleetSettings {
        name: format!("test-{name}"),
        lease: second,
        renew: second / 3,
        most_bytes: 64 << 20,
        ..FleetSettings::default()
    }
}

pub async fn hold(open: Open<'_>) {
    waiting::hold(open).await;
    ends::hold(open).await;
    leases::hold(open).await;
    rest::hold(open).await;
}

pub fn job(number: u32) -> Job {
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

pub fn signed(job: &Job, report: &str, worker: &str) -> SignedResult {
    let key = WorkerKey::from_seed(worker, &[worker.len() as u8; 32]).unwrap();
    let judged = JobRuling {
        report: report.into(),
        verdict: JobVerdict::Accepted,
        is_doubtful: false,
        notices: Vec::new(),
        reused_from: Vec::new(),
    };
    SignedResult::sign(job.id(), &judged, 1, 0, &key)
}

/// The next job, which must come.
pub async fn next(queue: &Arc<dyn Queue>) -> Claimed {
    queue.claim("w", Lane::Fast, LONG).await.unwrap().expect("a job")
}

pub async fn nothing(queue: &Arc<dyn Queue>) {
    let claimed = queue.claim("w", Lane::Fast, Duration::ZERO).await.unwrap();
    assert!(claimed.is_none(), "{claimed:?}");
}
