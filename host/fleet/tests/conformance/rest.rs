//! Objects, kept verdicts, alarms and the state of the fleet.

use std::sync::Arc;
use std::time::Duration;

use guardhost_fleet::alarm::{Alarm, AlarmKind};
use guardhost_fleet::hex;
use guardhost_fleet::keys::{KnownKeys, WorkerKey};
use guardhost_fleet::queue::{BeatStanding, Queue, WorkerBeat};
use guardhost_fleet::settings::FleetSettings;

use super::{LONG, Open, job, next, settings};

pub async fn hold(open: Open<'_>) {
    objects_are_named_by_their_bytes(&open(settings("objects")).await).await;
    kept_verdicts_are_replaced(&open(settings("verdicts")).await).await;
    alarms_are_kept(&open(settings("alarms")).await).await;
    the_state_is_told(&open(settings("state")).await).await;
    beats_of_strangers_count_nowhere(open).await;
    fleets_are_apart(open).await;
}

async fn objects_are_named_by_their_bytes(queue: &Arc<dyn Queue>) {
    // More than a message of NATS may have.
    for size in [0, 1, 3 << 20] {
        let bytes: Vec<u8> = (0..size).map(|at: u32| (at / 7) as u8).collect();
        let name = queue.put_object(&bytes).await.unwrap();
        assert_eq!(name, hex::sha256(&bytes));
        assert_eq!(queue.put_object(&bytes).await.unwrap(), name, "twice is once");
        assert_eq!(queue.object(&name).await.unwrap(), Some(bytes));
    }
    assert_eq!(queue.object(&"0".repeat(64)).await.unwrap(), None);
    let used = queue.status().await.unwrap();
    assert!(used.object_bytes >= 3 << 20 && used.most_object_bytes == 64 << 20, "{used:?}");
    let name = queue.put_object(b"spent").await.unwrap();
    for _ in 0..2 {
        queue.drop_object(&name).await.unwrap();
        assert_eq!(queue.object(&name).await.unwrap(), None);
    }
}

async fn kept_verdicts_are_replaced(queue: &Arc<dyn Queue>) {
    let (one, two) = ("1".repeat(64), "2".repeat(64));
    assert_eq!(queue.verdicts(&one).await.unwrap(), None);
    for bytes in [b"old".as_slice(), b"new"] {
        queue.put_verdicts(&one, bytes).await.unwrap();
    }
    queue.put_verdicts(&two, b"other").await.unwrap();
    // A cache: servers may take a moment.
    let begun = std::time::Instant::now();
    while queue.verdicts(&one).await.unwrap() != Some(b"new".to_vec()) {
        assert!(begun.elapsed() < LONG);
    }
    assert_eq!(queue.verdicts(&two).await.unwrap(), Some(b"other".to_vec()));
}

async fn alarms_are_kept(queue: &Arc<dyn Queue>) {
    assert_eq!(queue.alarms(10).await.unwrap(), []);
    let alarm = |kind, detail: &str| Alarm::new(kind, &job(1).id(), &["a".into(), "b".into()], detail);
    let (first, second) = (alarm(AlarmKind::Nondeterminism, "one"), alarm(AlarmKind::WrongVerdict, "two"));
    for each in [&first, &second] {
        queue.raise(each).await.unwrap();
    }
    assert_eq!(queue.alarms(10).await.unwrap(), [second.clone(), first]);
    assert_eq!(queue.alarms(1).await.unwrap(), [second]);
}

fn key(name: &str) -> WorkerKey {
    WorkerKey::from_seed(name, &[name.len() as u8; 32]).unwrap()
}

async fn the_state_is_told(queue: &Arc<dyn Queue>) {
    let beat = |name: &str, judged| WorkerBeat {
        name: name.into(),
        key: key("a").public(),
        version: "1".into(),
        slots: 2,
        busy: 1,
        judged,
        last_minute: 0,
        is_draining: false,
        remotes: vec!["https://example.org/team".into()],
        stopped: Some("the disk is full".into()),
        own_failures: 3,
        left_to_others: 4,
    };
    for (name, judged) in [("b", 1), ("a", 1), ("b", 7)] {
        queue.beat(&beat(name, judged), &key("a")).await.unwrap();
    }
    let status = queue.status().await.unwrap();
    assert!(status.workers.iter().all(|worker| worker.standing == BeatStanding::NotChecked), "no keys are listed");
    for number in 0..3 {
        queue.submit(&job(number)).await.unwrap();
    }
    let claimed = next(queue).await;
    queue.extend(&claimed.lease).await.unwrap();
    let status = queue.status().await.unwrap();
    let fast = &status.lanes[0];
    assert_eq!((fast.waiting + fast.leased, fast.oldest > Duration::ZERO), (3, true), "{status:?}");
    assert_eq!((status.lanes[1].waiting, status.lanes[1].oldest), (0, Duration::ZERO));
    let workers: Vec<WorkerBeat> = status.workers.into_iter().map(|worker| worker.beat).collect();
    assert_eq!(workers, [beat("a", 1), beat("b", 7)]);
    assert_eq!((status.dead, status.alarms.len()), (0, 0));
}

/// Where keys are listed, whoever else says that they are a worker is shown, and changes no figure, whatever name and number they say.
async fn beats_of_strangers_count_nowhere(open: Open<'_>) {
    let (worker, stranger) = (key("worker"), key("stranger"));
    let believed = Some(KnownKeys::default().with(&worker));
    let queue = open(FleetSettings { believed, ..settings("beats") }).await;
    let beat = |name: &str, of: &WorkerKey, number: u64| {
        let beat = serde_json::json!({ "name": name, "key": of.public(), "version": "1", "slots": 2, "busy": 0,
            "judged": number, "last_minute": number, "is_draining": false, "stopped": "no", "own_failures": number });
        serde_json::from_value::<WorkerBeat>(beat).unwrap()
    };
    queue.beat(&beat("a", &worker, 7), &worker).await.unwrap();
    // In their own name, and with the key of the worker below what it never signed.
    queue.beat(&beat("b", &stranger, u64::MAX), &stranger).await.unwrap();
    queue.beat(&beat("c", &worker, u64::MAX), &stranger).await.unwrap();
    let status = queue.status().await.unwrap();
    let standing: Vec<_> = status.workers.iter().map(|worker| (worker.beat.name.as_str(), worker.standing)).collect();
    let not_believed = BeatStanding::NotBelieved;
    assert_eq!(standing, [("a", BeatStanding::Believed), ("b", not_believed), ("c", not_believed)]);
    let metrics = guardhost_fleet::metrics::text(&status);
    for line in ["workers 1", "unbelieved_workers 2", "stopped_workers 1", "judged_last_minute 7", "own_failures 7"] {
        assert!(metrics.contains(&format!("\nguardhost_fleet_{line}\n")), "{line}: {metrics}");
    }
}

/// Fleets of other names share the server, and nothing else.
async fn fleets_are_apart(open: Open<'_>) {
    let (one, two) = (open(settings("apart-1")).await, open(settings("apart-2")).await);
    one.submit(&job(1)).await.unwrap();
    super::nothing(&two).await;
    assert_eq!(next(&one).await.job, job(1));
}
