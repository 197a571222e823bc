//! Leases: they end without a word, last with one, and count.

use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::job::Lane;
use guardhost_fleet::queue::{Completed, Ended, Queue, Submitted};
use guardhost_fleet::settings::Settings;

use super::{LONG, Open, job, next, nothing, settings, signed};

pub async fn hold(open: Open<'_>) {
    a_silent_worker_loses_its_job(&open(settings("silent")).await).await;
    a_worker_that_says_so_keeps_its_job(&open(settings("renew")).await).await;
    what_is_given_back_waits(&open(settings("back")).await).await;
    poison_is_put_aside_and_the_others_go_on(&open(Settings { deliveries: 3, ..settings("poison") }).await).await;
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

async fn poison_is_put_aside_and_the_others_go_on(queue: &Arc<dyn Queue>) {
    queue.submit(&job(666)).await.unwrap();
    for number in 0..5 {
        queue.submit(&job(number)).await.unwrap();
    }
    let (mut poisoned, mut judged) = (0, 0);
    let begun = std::time::Instant::now();
    while queue.dead(&job(666).id()).await.unwrap().is_none() {
        assert!(begun.elapsed() < LONG, "it was never put aside; handed out {poisoned} times");
        queue.tidy().await.unwrap();
        let Some(claimed) = queue.claim("w", Lane::Fast, Duration::from_millis(200)).await.unwrap() else { continue };
        if claimed.job == job(666) {
            // The worker crashes.
            poisoned += 1;
            assert_eq!(claimed.attempt, poisoned);
        } else {
            judged += 1;
            queue.complete(claimed.lease, &signed(&claimed.job, "{}", "one")).await.unwrap();
        }
    }
    assert_eq!((poisoned, judged), (3, 5));
    let dead = queue.dead(&job(666).id()).await.unwrap().expect("dead");
    assert_eq!((dead.attempts, dead.job.id()), (3, job(666).id()));
    assert!(dead.reason.contains("3 times"), "{}", dead.reason);
    queue.tidy().await.unwrap();
    nothing(queue).await;
    let status = queue.status().await.unwrap();
    assert_eq!((status.dead, status.lanes[0].waiting, status.lanes[0].leased), (1, 0, 0), "{status:?}");
    assert_eq!(queue.submit(&job(666)).await.unwrap(), Submitted::Dead(Box::new(dead)));
    // Taken in again, it counts from the start.
    assert!(queue.retry(&job(666).id()).await.unwrap());
    assert!(!queue.retry(&job(666).id()).await.unwrap());
    let again = next(queue).await;
    assert_eq!((again.job.id(), again.attempt), (job(666).id(), 1));
    queue.complete(again.lease, &signed(&job(666), "{}", "one")).await.unwrap();
    assert!(matches!(queue.wait(&job(666).id(), LONG).await.unwrap(), Some(Ended::Judged(_))));
}
