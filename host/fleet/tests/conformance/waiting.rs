//! Jobs that wait: once, in their order, handed to one worker each, and never too many.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::job::{Class, Job, Lane};
use guardhost_fleet::queue::{Completed, Queue, QueueError, Submitted};
use guardhost_fleet::settings::FleetSettings;

use super::{LONG, Open, job, next, nothing, settings, signed};

pub async fn hold(open: Open<'_>) {
    a_job_waits_once(&open(settings("once")).await).await;
    lanes_are_apart(&open(settings("lanes")).await).await;
    each_job_goes_to_one_worker(open).await;
    a_full_queue_refuses_and_keeps(&open(FleetSettings { most_waiting: 3, ..settings("full") }).await).await;
}

async fn a_job_waits_once(queue: &Arc<dyn Queue>) {
    nothing(queue).await;
    for number in [3, 1, 2] {
        assert_eq!(queue.submit(&job(number)).await.unwrap(), Submitted::Accepted);
    }
    assert_eq!(queue.submit(&job(1)).await.unwrap(), Submitted::Waiting);
    let first = next(queue).await;
    assert_eq!((first.job.id(), first.attempt), (job(3).id(), 1), "the oldest comes first");
    assert_eq!(queue.submit(&job(3)).await.unwrap(), Submitted::Waiting, "it is being judged");
    let result = signed(&job(3), "{}", "one");
    assert_eq!(queue.complete(first.lease, &result).await.unwrap(), Completed::First);
    assert_eq!(queue.submit(&job(3)).await.unwrap(), Submitted::Judged(Box::new(result)));
    for number in [1, 2] {
        let claimed = next(queue).await;
        assert_eq!(claimed.job, job(number));
        queue.end(claimed.lease).await.unwrap();
    }
    nothing(queue).await;
}

async fn lanes_are_apart(queue: &Arc<dyn Queue>) {
    let heavy = Job::new(Class::Heavy, job(1).change, Default::default()).unwrap();
    for each in [&heavy, &job(1), &job(1).audit()] {
        assert_eq!(queue.submit(each).await.unwrap(), Submitted::Accepted);
    }
    for (lane, wanted) in [(Lane::Audit, job(1).audit()), (Lane::Heavy, heavy), (Lane::Fast, job(1))] {
        let claimed = queue.claim("w", lane, LONG).await.unwrap().expect("a job");
        assert_eq!((claimed.job, claimed.lease.lane), (wanted, lane));
        queue.end(claimed.lease).await.unwrap();
    }
}

async fn each_job_goes_to_one_worker(open: Open<'_>) {
    const JOBS: u32 = 200;
    // Longer than the test may take on a busy machine, so that no lease ends.
    let settings = FleetSettings { lease: LONG * 5, ..settings("many") };
    let queue = open(settings.clone()).await;
    let mut workers = Vec::new();
    for _ in 0..4 {
        workers.push(open(settings.clone()).await);
    }
    let claiming = workers.into_iter().map(|queue| {
        tokio::spawn(async move {
            let mut found = Vec::new();
            while let Some(claimed) = queue.claim("w", Lane::Fast, Duration::from_secs(3)).await.unwrap() {
                assert_eq!(claimed.attempt, 1);
                found.push(claimed.job.id());
                let result = signed(&claimed.job, "{}", "one");
                assert_eq!(queue.complete(claimed.lease, &result).await.unwrap(), Completed::First);
            }
            found
        })
    });
    let claiming: Vec<_> = claiming.collect();
    for number in 0..JOBS {
        assert_eq!(queue.submit(&job(number)).await.unwrap(), Submitted::Accepted);
    }
    let mut found = Vec::new();
    for worker in claiming {
        found.extend(worker.await.unwrap());
    }
    assert_eq!(found.len(), JOBS as usize, "none was handed out twice");
    let found: BTreeSet<_> = found.into_iter().collect();
    assert_eq!(found, (0..JOBS).map(|number| job(number).id()).collect());
}

async fn a_full_queue_refuses_and_keeps(queue: &Arc<dyn Queue>) {
    for number in 0..3 {
        assert_eq!(queue.submit(&job(number)).await.unwrap(), Submitted::Accepted);
    }
    let full = queue.submit(&job(3)).await;
    assert!(matches!(full, Err(QueueError::Full { most: 3, lane: Lane::Fast })), "{full:?}");
    assert_eq!(queue.submit(&job(0)).await.unwrap(), Submitted::Waiting, "it is there already");
    assert_eq!(queue.submit(&job(0).audit()).await.unwrap(), Submitted::Accepted, "another lane");
    let first = next(queue).await;
    assert_eq!(first.job, job(0), "the oldest was not dropped");
    queue.complete(first.lease, &signed(&job(0), "{}", "one")).await.unwrap();
    // Servers may take a moment to see that there is room.
    let begun = std::time::Instant::now();
    while queue.submit(&job(3)).await.is_err() {
        assert!(begun.elapsed() < LONG, "no room after a job has ended");
    }
    for number in 1..4 {
        let claimed = next(queue).await;
        assert_eq!(claimed.job, job(number));
        queue.end(claimed.lease).await.unwrap();
    }
}
