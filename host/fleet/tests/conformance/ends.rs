//! How jobs end, and who is told.

use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::failure::{DeadCause, JobHistory};
use guardhost_fleet::job::{Class, Job, ObjectSource};
use guardhost_fleet::queue::{Completed, Ended, Queue, Submitted};

use super::{LONG, Open, job, next, nothing, settings, signed};

pub async fn hold(open: Open<'_>) {
    the_first_result_counts(&open(settings("first")).await).await;
    whoever_waits_is_told(open).await;
    a_worker_can_put_a_job_aside(&open(settings("bury")).await).await;
    large_results_come_back_as_they_were(&open(settings("large")).await).await;
    a_result_of_nobody_is_replaced(&open(settings("forged")).await).await;
}

async fn the_first_result_counts(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), None);
    assert_eq!(queue.wait(&job(1).id(), Duration::ZERO).await.unwrap(), None);
    let lease = next(queue).await.lease;
    let first = signed(&job(1), "first", "one");
    assert_eq!(queue.complete(lease, &first).await.unwrap(), Completed::First);
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), Some(first.clone()));
    assert_eq!(queue.wait(&job(1).id(), LONG).await.unwrap(), Some(Ended::Judged(Box::new(first.clone()))));
    // An audit judges it again, and does not replace it.
    queue.submit(&job(1).audit()).await.unwrap();
    let audit = queue.claim("w", guardhost_fleet::job::Lane::Audit, LONG).await.unwrap().expect("the audit");
    assert_eq!(audit.job.id(), job(1).id());
    queue.end(audit.lease).await.unwrap();
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), Some(first));
    nothing(queue).await;
}

async fn whoever_waits_is_told(open: Open<'_>) {
    let queue = open(settings("told")).await;
    for number in 0..20 {
        queue.submit(&job(number)).await.unwrap();
    }
    let waiting = (0..20).map(|number| {
        let queue = queue.clone();
        tokio::spawn(async move { queue.wait(&job(number).id(), LONG).await.unwrap() })
    });
    let waiting: Vec<_> = waiting.collect();
    let worker = open(settings("told")).await;
    for number in 0..20 {
        let claimed = next(&worker).await;
        worker.complete(claimed.lease, &signed(&claimed.job, &format!("report {number}"), "one")).await.unwrap();
    }
    for (number, waited) in waiting.into_iter().enumerate() {
        let Some(Ended::Judged(result)) = waited.await.unwrap() else { panic!("no result") };
        assert_eq!((result.job, result.report), (job(number as u32).id(), format!("report {number}")));
    }
}

async fn a_worker_can_put_a_job_aside(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    let claimed = next(queue).await;
    queue.bury(claimed.lease, claimed.attempt, DeadCause::NoWorker, "the base is nowhere").await.unwrap();
    let Some(Ended::Dead(dead)) = queue.wait(&job(1).id(), LONG).await.unwrap() else { panic!("not dead") };
    assert_eq!((dead.reason.as_str(), dead.attempts, &dead.job), ("the base is nowhere", 1, &job(1)));
    assert_eq!((queue.all_dead(10).await.unwrap(), dead.cause), (vec![*dead.clone()], DeadCause::NoWorker));
    nothing(queue).await;
    let status = queue.status().await.unwrap();
    assert_eq!((status.dead, status.lanes[0].waiting, status.lanes[0].leased), (1, 0, 0), "{status:?}");
    assert_eq!(queue.submit(&job(1)).await.unwrap(), Submitted::Dead(dead));
    // Taken in again, it counts from the start, and comes as it was submitted now.
    let known = JobHistory { crashes: 2, ..JobHistory::default() };
    queue.put_history(&job(1).id(), &known).await.unwrap();
    assert_eq!(queue.history(&job(1).id()).await.unwrap(), known);
    let transport = ObjectSource { pack: Some("7".repeat(64)), remote: None };
    let anew = Job::new(Class::Fast, job(1).change, transport).unwrap();
    assert!(queue.retry(&job(1).id(), Some(&anew)).await.unwrap());
    assert!(!queue.retry(&job(1).id(), None).await.unwrap());
    assert_eq!(queue.history(&job(1).id()).await.unwrap(), JobHistory::default());
    let again = next(queue).await;
    assert_eq!((&again.job, again.attempt), (&anew, 1));
    queue.complete(again.lease, &signed(&job(1), "{}", "one")).await.unwrap();
    assert!(matches!(queue.wait(&job(1).id(), LONG).await.unwrap(), Some(Ended::Judged(_))));
    // What has its result is not put aside.
    queue.submit(&job(2)).await.unwrap();
    let slow = next(queue).await;
    let fast = next(queue).await;
    assert_eq!(fast.job, slow.job);
    queue.complete(fast.lease, &signed(&job(2), "{}", "one")).await.unwrap();
    queue.bury(slow.lease, 1, DeadCause::Job, "too slow").await.unwrap();
    assert_eq!(queue.dead(&job(2).id()).await.unwrap(), None);
}

async fn large_results_come_back_as_they_were(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    let lease = next(queue).await.lease;
    let report: String = (0..400_000).map(|number| format!("{number:07}")).collect();
    let large = signed(&job(1), &report, "one");
    assert_eq!(queue.complete(lease, &large).await.unwrap(), Completed::First);
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), Some(large));
}

/// A result that no known key signed is none: the job is judged once more, and its result takes the place of the other.
async fn a_result_of_nobody_is_replaced(queue: &Arc<dyn Queue>) {
    queue.submit(&job(1)).await.unwrap();
    let forged = signed(&job(1), "forged", "stranger");
    queue.complete(next(queue).await.lease, &forged).await.unwrap();
    queue.judge_again(&job(1)).await.unwrap();
    let again = next(queue).await;
    assert_eq!((again.job.id(), again.attempt), (job(1).id(), 1));
    let own = signed(&job(1), "own", "one");
    assert_eq!(queue.complete(again.lease, &own).await.unwrap(), Completed::Present(Box::new(forged)));
    queue.replace_result(&job(1).id(), &own).await.unwrap();
    assert_eq!(queue.result(&job(1).id()).await.unwrap(), Some(own));
    nothing(queue).await;
}
