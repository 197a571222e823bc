//! Leases: they end without a word, last with one, and count.

use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::job::Lane;
use guardhost_fleet::queue::{Completed, Queue};
use guardhost_fleet::settings::FleetSettings;

use super::{LONG, Open, job, next, nothing, settings, signed};

pub async fn hold(open: Open<'_>) {
    a_silent_worker_loses_its_job(&open(settings("silent")).await).await;
    a_worker_that_says_so_keeps_its_job(&open(settings("renew")).await).await;
    what_is_given_back_waits(&open(settings("back")).await).await;
    a_job_comes_back_however_often(&open(FleetSettings { deliveries: 3, ..settings("often") }).await).await;
}

async fn a_silent_worker_loses_its_job(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    let lost = next(queue).await;
    let again = next(queue).await;
    assert_eq!((again.job.id(), again.attempt), (job(1).id(), 2));
    // The first worker lives after all, and is the first to answer.
    let (first, second) = (signed(&job(1), "first", "one"), signed(&job(1), "second", "two"));
    assert_eq!(queue.complete(lost.lease, &first).await.unwrap(), Completed::First);
    let present = Completed::Present(Box::new(first.clone()));
    assert_eq!(queue.complete(again.lease, &second).await.unwrap(), present);
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), Some(first), "the first result stays");
}

async fn a_worker_that_says_so_keeps_its_job(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    let claimed = next(queue).await;
    let lease = std::sync::Arc::new(claimed.lease);
    let (held, renewing) = (lease.clone(), queue.clone());
    let renewing = tokio::spawn(async move {
        loop {
            renewing.extend(&held).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    // Three times as long as the lease.
    let stolen = queue.claim("other", Lane::Fast, Duration::from_secs(3)).await.unwrap();
    assert!(stolen.is_none(), "{stolen:?}");
    renewing.abort();
    let again = next(queue).await;
    assert_eq!(again.attempt, 2, "without a word it comes back");
    queue.end(again.lease).await.unwrap();
}

async fn what_is_given_back_waits(queue: &Arc<dyn Queue>) {
    for number in [1, 2] {
        queue.submit(&job(number)).await.unwrap();
    }
    let first = next(queue).await;
    queue.give_back(first.lease, LONG * 10).await.unwrap();
    let second = next(queue).await;
    assert_eq!(second.job, job(2));
    queue.give_back(second.lease, Duration::ZERO).await.unwrap();
    let again = next(queue).await;
    assert_eq!((again.job, again.attempt), (job(2), 2));
    queue.end(again.lease).await.unwrap();
    nothing(queue).await;
}

/// Workers die again and again before they begin to judge: that is theirs, and the job comes back each time.
async fn a_job_comes_back_however_often(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    for attempt in 1..=8 {
        let claimed = next(queue).await;
        assert_eq!((claimed.job.id(), claimed.attempt), (job(1).id(), attempt));
        queue.tidy().await.unwrap();
        // Every other one gives it back; the rest say nothing.
        if attempt % 2 == 0 {
            queue.give_back(claimed.lease, Duration::ZERO).await.unwrap();
        }
    }
    let claimed = next(queue).await;
    queue.complete(claimed.lease, &signed(&job(1), "{}", "one")).await.unwrap();
    assert_eq!(queue.dead(&job(1).id()).await.unwrap(), None);
}
