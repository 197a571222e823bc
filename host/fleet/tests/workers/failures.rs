//! Failures that are the worker's own, the job's, or a crash: each is counted where it belongs.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use guardhost_fleet::failure::DeadCause;
use guardhost_fleet::queue::WorkerBeat;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use guardhost_fleet::worker::Worker;

use super::{Fake, Fleet, LONG, Manner, honest, job, judged, key};

/// A worker that fails every job at once is the one that is always free. It takes no job from the others, says why it stopped, and works
/// again when its cause is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_broken_worker_eats_no_jobs() {
    for (name, manner) in [("full", Manner::Full), ("may-not", Manner::MayNot)] {
        let fleet = Fleet::new(&[(name, manner), ("a", Manner::Slow(5))]);
        let submitter = Submitter { queue: fleet.queue.clone(), known: fleet.known.clone(), audited: 0 };
        for number in 0..100 {
            submitter.submit(&job(number), Duration::ZERO).await.unwrap();
        }
        for number in 0..100 {
            assert_eq!(judged(submitter.wait(&job(number).id(), LONG).await.unwrap()).0, honest(&job(number)).report);
        }
        let begun = std::time::Instant::now();
        let said = loop {
            let status = fleet.queue.status().await.unwrap();
            assert_eq!(status.dead, 0, "{name}: {status:?}");
            let worker = status.workers.into_iter().find(|worker| worker.beat.name == name).map(|worker| worker.beat);
            match (worker, manner) {
                (Some(beat), Manner::Full) if beat.stopped.is_some() => break beat,
                (Some(beat), Manner::MayNot) if beat.left_to_others > 0 => break beat,
                (worker, _) => assert!(begun.elapsed() < LONG, "{worker:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(said.own_failures > 0, matches!(manner, Manner::Full), "{said:?}");
        fleet.end().await;
    }
    // Alone, it works again when there is room.
    let fleet = Fleet::new(&[("full", Manner::FullFor(6))]);
    assert_eq!(judged(fleet.answer(&job(1), 0).await).0, honest(&job(1)).report);
    fleet.end().await;
}

/// What no worker may take is put aside with what they say, and judged when it is submitted again and one may.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_nobody_may_take_is_said_and_taken_later() {
    let mut fleet = Fleet::new(&[("may-not", Manner::MayNot)]);
    // Somebody whose key nobody lists says all the time that a worker is there that may.
    let stranger = tokio::spawn({
        let (queue, key) = (fleet.queue.clone(), key("a stranger"));
        async move {
            let beat = serde_json::json!({ "name": "free", "key": key.public(), "version": "1", "slots": 9, "busy": 0,
                "judged": 9, "last_minute": 9, "is_draining": false });
            let beat: WorkerBeat = serde_json::from_value(beat).unwrap();
            loop {
                queue.beat(&beat, &key).await.unwrap();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    });
    let SubmitAnswer::Dead(dead) = fleet.answer(&job(1), 0).await else { panic!("not dead") };
    stranger.abort();
    assert_eq!(dead.cause, DeadCause::NoWorker);
    assert!(dead.reason.contains("may-not: it may not fetch from there"), "{}", dead.reason);
    fleet.known = fleet.known.clone().with(&key("a"));
    fleet.start("a", Manner::Honest);
    assert_eq!(judged(fleet.answer(&job(1), 0).await).0, honest(&job(1)).report);
    fleet.end().await;
}

/// Only a worker that dies while it judges counts against the job.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_deaths_while_judging_are_poison() {
    for (manner, is_poison) in [(Manner::DiesFirst(u32::MAX), true), (Manner::DiesWhileFetching(9), false)] {
        let mut fleet = Fleet::new(&[]);
        fleet.known = fleet.known.clone().with(&key("a"));
        fleet.queue.submit(&job(1)).await.unwrap();
        let dying = Arc::new(Fake { manner, calls: AtomicU32::new(0) });
        let begun = std::time::Instant::now();
        // One worker after the other is killed.
        loop {
            assert!(begun.elapsed() < LONG);
            let worker = Worker {
                queue: fleet.queue.clone(),
                judge: dying.clone(),
                key: key("a"),
                known: fleet.known.clone(),
                settings: fleet.settings.clone(),
                fast: 1,
                heavy: 0,
                version: "1".into(),
                state: Default::default(),
                breaker: Default::default(),
                spent: Default::default(),
            };
            let running = tokio::spawn(Arc::new(worker).run(fleet.end.subscribe()));
            tokio::time::sleep(Duration::from_millis(600)).await;
            running.abort();
            let ended = fleet.queue.wait(&job(1).id(), Duration::ZERO).await.unwrap();
            match (ended, is_poison) {
                (Some(guardhost_fleet::queue::Ended::Dead(dead)), true) => {
                    assert_eq!(dead.cause, DeadCause::Crash);
                    assert!(dead.reason.contains("5 workers died"), "{}", dead.reason);
                    // A person alone takes it in again.
                    let again = Submitter { queue: fleet.queue.clone(), known: fleet.known.clone(), audited: 0 };
                    assert!(matches!(again.submit(&job(1), Duration::ZERO).await.unwrap(), SubmitAnswer::Dead(_)));
                    break;
                }
                (Some(guardhost_fleet::queue::Ended::Judged(result)), false) => {
                    assert_eq!(result.report, honest(&job(1)).report);
                    break;
                }
                (None, _) => {}
                (ended, _) => panic!("{ended:?}"),
            }
        }
        fleet.end().await;
    }
}
