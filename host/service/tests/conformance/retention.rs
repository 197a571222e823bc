//! What is removed is old, or more than is kept and not young; nothing else is.

use guardhost_observer::wire::{ClaimRequest, EventBatch, RunEvent, TreeFacts};
use guardhost_service::storage::retention::{Kind, Retention, prune};
use guardhost_service::storage::{EventQuery, LogQuery, Micros};
use serde_json::json;

use super::Shared;
use super::observations::observed;

const DAY: i64 = 86_400_000_000;
const REPO: &str = "retention";

/// Runs last: it empties the database of all that the others kept, but for claims and tokens.
pub async fn old_rows_go_and_young_rows_claims_and_tokens_stay(storage: Shared) {
    for number in 0..12u64 {
        storage.observe(observed(REPO, &format!("r{number}"))).await.unwrap();
        let event = RunEvent { n: number, name: "judged".into(), data: json!({}) };
        storage
            .append(EventBatch { repo: REPO.into(), run: "r".into(), events: vec![event], from: Default::default() })
            .await
            .unwrap();
    }
    let facts = TreeFacts { repo: REPO.into(), tree: "t".into(), ..TreeFacts::default() };
    storage.put_fingerprint(facts).await.unwrap();
    let now = storage.now().await.unwrap();
    let request =
        ClaimRequest { repo: REPO.into(), key: "k".into(), holder: "h".into(), ttl_seconds: Some(3_600), fence: None };
    storage.claim(request, now).await.unwrap();
    let tokens = storage.tokens().await.unwrap();

    let kept = async || {
        let query = LogQuery { repo: Some(REPO.into()), limit: 1_000, ..LogQuery::default() };
        let runs = storage.agent_log(query).await.unwrap().rows.into_iter().map(|row| row.observed.run_id);
        let query = EventQuery { repo: Some(REPO.into()), limit: 1_000, ..EventQuery::default() };
        let events = storage.events(query).await.unwrap().into_iter().map(|stored| stored.event.n);
        (runs.collect::<Vec<_>>(), events.collect::<Vec<_>>())
    };
    let whole = kept().await;
    assert_eq!((whole.0.len(), whole.1.len()), (12, 12));
    let clean = async |keep: Retention, days: i64| {
        let mut removed = [0; 4];
        prune(&*storage, &keep, Micros(now.0 + days * DAY), |kind, rows| removed[kind as usize] += rows).await.unwrap();
        removed
    };

    // The number is far exceeded, and the age is as short as can be: but every row is young.
    let least = Retention { days: 0, observations: 1, events: 1, ..Retention::default() };
    assert_eq!(clean(least, 0).await, [0; 4]);
    assert_eq!(clean(least, 6).await, [0; 4]);
    assert_eq!(kept().await, whole);

    // A week later the number counts. Rows of the same microsecond as the oldest that is kept stay with it.
    let few = Retention { days: 90, observations: 5, events: 3, ..Retention::default() };
    assert_ne!(clean(few, 8).await, [0; 4]);
    assert_eq!(kept().await, (whole.0[..5].to_vec(), whole.1[9..].to_vec()));
    assert!(storage.fingerprint(REPO, Some("t")).await.unwrap().is_some(), "facts go by age alone");
    assert_eq!(clean(few, 8).await, [0; 4], "the second time finds nothing");

    // What is removed frees no sequence number: a listener that comes back is not told another event's.
    let (_, newest) = storage.event_bounds().await.unwrap();
    assert_eq!(clean(few, 91).await[..3], [5, 3, 1]);
    assert!(storage.fingerprint(REPO, None).await.unwrap().is_none());
    assert_eq!(kept().await, (Vec::new(), Vec::new()));
    let event = RunEvent { n: 99, name: "judged".into(), data: json!({}) };
    let batch = EventBatch { repo: REPO.into(), run: "r".into(), events: vec![event], from: Default::default() };
    assert!(storage.append(batch).await.unwrap().last_seq > newest);

    assert_eq!(storage.tokens().await.unwrap(), tokens);
    let held = storage.claims(REPO, None, now).await.unwrap();
    assert_eq!(held.iter().map(|claim| claim.fence).collect::<Vec<_>>(), [1]);
}

/// More rows than one transaction removes, of which some were written at the same time.
pub async fn many_rows_go_a_part_at_a_time(storage: Shared) {
    let event = |n| RunEvent { n, name: "judged".into(), data: json!({}) };
    for run in ["a", "b"] {
        let events = (0..700).map(event).collect();
        storage
            .append(EventBatch { repo: REPO.into(), run: run.into(), events, from: Default::default() })
            .await
            .unwrap();
    }
    let later = Micros(storage.now().await.unwrap().0 + 100 * DAY);
    // The two batches have a time each: all of the newer one is kept, though fewer rows would do.
    let mut parts = Vec::new();
    let keep = Retention { days: 365, observations: 1_000, events: 10, ..Retention::default() };
    prune(&*storage, &keep, later, |kind, rows| parts.push((kind, rows))).await.unwrap();
    let of_events: Vec<u64> = parts.iter().filter(|(kind, _)| *kind == Kind::Events).map(|(_, rows)| *rows).collect();
    assert!(of_events.len() > 1 && of_events.iter().all(|rows| *rows <= 500), "{parts:?}");
    let query = EventQuery { repo: Some(REPO.into()), run: Some("b".into()), after: 0, limit: 1_000 };
    assert_eq!(storage.events(query).await.unwrap().len(), 700);
    let query = EventQuery { repo: Some(REPO.into()), run: Some("a".into()), after: 0, limit: 1_000 };
    assert_eq!(storage.events(query).await.unwrap().len(), 0);
}
