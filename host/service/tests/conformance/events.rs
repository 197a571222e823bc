//! Events.

use guardhost_observer::wire::{Appended, EventBatch, RunEvent};
use guardhost_service::storage::EventQuery;
use serde_json::json;

use super::Shared;

fn batch(repo: &str, run: &str, numbers: std::ops::Range<u64>) -> EventBatch {
    let event = |n| RunEvent { n, name: "guard.judged".into(), data: json!({ "seq": n, "text": "é\u{0001}" }) };
    EventBatch { repo: repo.into(), run: run.into(), events: numbers.map(event).collect(), from: Default::default() }
}

pub async fn an_event_is_kept_once_and_in_order(storage: Shared) {
    let first = storage.append(batch("events", "r1", 0..5)).await.unwrap();
    assert_eq!(first.added, 5);
    let again = storage.append(batch("events", "r1", 3..8)).await.unwrap();
    assert_eq!((again.added, again.last_seq > first.last_seq), (3, true));
    let nothing = storage.append(batch("events", "r1", 0..8)).await.unwrap();
    assert_eq!(nothing, Appended { added: 0, last_seq: again.last_seq });
    storage.append(batch("events", "r2", 0..2)).await.unwrap();
    let of_run = EventQuery { repo: Some("events".into()), run: Some("r1".into()), after: 0, limit: 100 };
    let found = storage.events(of_run.clone()).await.unwrap();
    assert_eq!(found.iter().map(|stored| stored.event.n).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    assert!(found.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    assert_eq!(found[0].event.data["text"], "é\u{0001}");
    let rest = EventQuery { after: found[4].seq, limit: 2, ..of_run };
    let rest = storage.events(rest).await.unwrap();
    assert_eq!(rest.iter().map(|stored| stored.event.n).collect::<Vec<_>>(), [5, 6]);
    let all = EventQuery { repo: Some("events".into()), limit: 100, ..EventQuery::default() };
    assert_eq!(storage.events(all).await.unwrap().len(), 10);
    let (oldest, newest) = storage.event_bounds().await.unwrap();
    assert!(oldest >= 1 && oldest <= found[0].seq && newest >= found[7].seq);
}

/// A reader that has seen number n will never miss a number below it.
pub async fn readers_see_no_gap_while_several_write(storage: Shared) {
    const WRITERS: u64 = 8;
    const EACH: u64 = 25;
    let mut tasks = Vec::new();
    for writer in 0..WRITERS {
        let storage = Shared::clone(&storage);
        tasks.push(tokio::spawn(async move {
            for n in 0..EACH {
                storage.append(batch("gaps", &format!("w{writer}"), n..n + 1)).await.unwrap();
            }
        }));
    }
    let (mut after, mut seen) = (storage.event_bounds().await.unwrap().0.saturating_sub(1), Vec::new());
    while (seen.len() as u64) < WRITERS * EACH {
        let query = EventQuery { repo: Some("gaps".into()), after, limit: 10, ..EventQuery::default() };
        for stored in storage.events(query).await.unwrap() {
            after = stored.seq;
            seen.push((stored.run, stored.event.n));
        }
        tokio::task::yield_now().await;
    }
    for task in tasks {
        task.await.unwrap();
    }
    for writer in 0..WRITERS {
        let own: Vec<_> = seen.iter().filter(|(run, _)| *run == format!("w{writer}")).map(|(_, n)| *n).collect();
        assert_eq!(own, (0..EACH).collect::<Vec<_>>(), "writer {writer}");
    }
}
