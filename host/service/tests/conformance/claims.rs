//! Claims. Time is handed in, so that nothing here waits.

use std::collections::BTreeSet;

use guardhost_observer::wire::{ClaimFence, ClaimRequest, HeldClaim, NewObservation};
use guardhost_service::storage::{ClaimAnswer, ClaimRelease, LogQuery, Micros, ReleaseAnswer, StorageError};

use super::Shared;
use super::observations::observed;

const NOW: Micros = Micros(1_800_000_000_000_000);

fn request(repo: &str, key: &str, holder: &str) -> ClaimRequest {
    ClaimRequest { repo: repo.into(), key: key.into(), holder: holder.into(), ttl_seconds: Some(60), fence: None }
}

fn held(answer: ClaimAnswer) -> HeldClaim {
    match answer {
        ClaimAnswer::Held(claim) => claim,
        other => panic!("not held: {other:?}"),
    }
}

pub async fn one_of_a_thousand_wins_and_fences_rise(storage: Shared) {
    let mut last = 0;
    for round in 0..5 {
        let now = NOW.plus_seconds(round * 61);
        let mut tasks = Vec::new();
        for holder in 0..200 {
            let storage = Shared::clone(&storage);
            let request = request("race", "issue:1", &format!("{round}-{holder}"));
            tasks.push(tokio::spawn(async move { storage.claim(request, now).await.unwrap() }));
        }
        let (mut winners, mut holders) = (Vec::new(), BTreeSet::new());
        for task in tasks {
            match task.await.unwrap() {
                ClaimAnswer::Held(claim) => winners.push(claim),
                ClaimAnswer::Taken(claim) => assert!(holders.insert(claim.holder) || !holders.is_empty()),
                ClaimAnswer::Stale { .. } => panic!("no fence was given"),
            }
        }
        assert_eq!(winners.len(), 1, "round {round}");
        assert!(winners[0].fence > last, "round {round}");
        assert_eq!(holders, [winners[0].holder.clone()].into(), "all losers are told the winner");
        last = winners[0].fence;
    }
}

pub async fn a_claim_lasts_its_time_and_no_longer(storage: Shared) {
    let first = held(storage.claim(request("time", "a", "one"), NOW).await.unwrap());
    let during = NOW.plus_seconds(59);
    assert_eq!(storage.claim(request("time", "a", "two"), during).await.unwrap(), ClaimAnswer::Taken(first.clone()));
    assert_eq!(storage.claims("time", Some("a"), during).await.unwrap(), std::slice::from_ref(&first));
    let after = NOW.plus_seconds(60);
    assert_eq!(storage.claims("time", None, after).await.unwrap(), []);
    let second = held(storage.claim(request("time", "a", "two"), after).await.unwrap());
    assert!(second.fence > first.fence);
    assert!(matches!(storage.claim(request("other", "a", "two"), NOW).await.unwrap(), ClaimAnswer::Held(_)));
}

pub async fn the_same_holder_gets_its_claim_again_and_can_extend_it(storage: Shared) {
    let first = held(storage.claim(request("again", "a", "one"), NOW).await.unwrap());
    let again = held(storage.claim(request("again", "a", "one"), NOW.plus_seconds(30)).await.unwrap());
    assert_eq!((again.fence, again.until > first.until), (first.fence, true));
    let beat = |fence| ClaimRequest { fence: Some(fence), ..request("again", "a", "one") };
    let extended = held(storage.claim(beat(first.fence), NOW.plus_seconds(80)).await.unwrap());
    assert_eq!(extended.fence, first.fence);
    let wrong = storage.claim(beat(first.fence + 1), NOW.plus_seconds(81)).await.unwrap();
    assert_eq!(wrong, ClaimAnswer::Stale { present: Some(extended) });
    // Its time is over: a heartbeat that comes late does not bring it back.
    let late = storage.claim(beat(first.fence), NOW.plus_seconds(1_000)).await.unwrap();
    assert_eq!(late, ClaimAnswer::Stale { present: None });
    let stranger = ClaimRequest { holder: "two".into(), ..beat(first.fence) };
    assert!(matches!(storage.claim(stranger, NOW.plus_seconds(82)).await.unwrap(), ClaimAnswer::Stale { .. }));
}

pub async fn a_stale_fence_writes_nothing(storage: Shared) {
    // Of the storage's own clock, by which observations are taken.
    let now = storage.now().await.unwrap();
    let first = held(storage.claim(request("stale", "a", "one"), now).await.unwrap());
    let under = |fence| NewObservation { claim: Some(ClaimFence { key: "a".into(), fence }), ..observed("stale", "r") };
    storage.observe(under(first.fence)).await.unwrap();
    assert_eq!(storage.release(release("stale", "a", "one", first.fence), now).await.unwrap(), ReleaseAnswer::Released);
    assert_eq!(storage.observe(under(first.fence)).await, Err(StorageError::StaleFence(None)));
    let second = held(storage.claim(request("stale", "a", "two"), now).await.unwrap());
    let refused = storage.observe(under(first.fence)).await;
    assert_eq!(refused, Err(StorageError::StaleFence(Some(second.clone()))));
    storage.observe(under(second.fence)).await.unwrap();
    let query = LogQuery { repo: Some("stale".into()), limit: 10, ..LogQuery::default() };
    assert_eq!(storage.agent_log(query).await.unwrap().rows.len(), 2);
}

pub async fn only_the_holder_releases(storage: Shared) {
    let first = held(storage.claim(request("free", "a", "one"), NOW).await.unwrap());
    let stale = storage.release(release("free", "a", "one", first.fence + 1), NOW).await.unwrap();
    assert_eq!(stale, ReleaseAnswer::Stale(first.clone()));
    assert_eq!(storage.release(release("free", "a", "one", first.fence), NOW).await.unwrap(), ReleaseAnswer::Released);
    assert_eq!(storage.release(release("free", "a", "one", first.fence), NOW).await.unwrap(), ReleaseAnswer::Free);
    assert_eq!(storage.release(release("free", "never", "one", 1), NOW).await.unwrap(), ReleaseAnswer::Free);
    let second = held(storage.claim(request("free", "a", "one"), NOW).await.unwrap());
    assert!(second.fence > first.fence, "a release does not bring a fence back");
}

fn release(repo: &str, key: &str, holder: &str, fence: u64) -> ClaimRelease {
    ClaimRelease { repo: repo.into(), key: key.into(), holder: holder.into(), fence }
}

/// Whoever claims in vain is told the fence: it proves nothing.
pub async fn a_fence_alone_ends_no_claim(storage: Shared) {
    let first = held(storage.claim(request("fence", "a", "one"), NOW).await.unwrap());
    for holder in ["two", "", "One", "one "] {
        let refused = storage.release(release("fence", "a", holder, first.fence), NOW).await.unwrap();
        assert_eq!(refused, ReleaseAnswer::Stale(first.clone()), "{holder:?}");
        let extended = ClaimRequest { fence: Some(first.fence), ..request("fence", "a", holder) };
        assert!(matches!(storage.claim(extended, NOW).await.unwrap(), ClaimAnswer::Stale { .. }), "{holder:?}");
    }
    assert_eq!(storage.release(release("fence", "a", "one", first.fence), NOW).await.unwrap(), ReleaseAnswer::Released);
}

/// No claim outlives the longest one by the clock: it goes on for its holder, and is free for others.
pub async fn a_clock_that_goes_back_holds_nothing(storage: Shared) {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    let first = held(storage.claim(request("clock", "a", "one"), NOW).await.unwrap());
    let back = Micros(NOW.0 - DAY);
    assert_eq!(storage.claims("clock", None, back).await.unwrap(), []);
    let extended = ClaimRequest { fence: Some(first.fence), ..request("clock", "a", "one") };
    assert_eq!(held(storage.claim(extended.clone(), back).await.unwrap()).fence, first.fence);
    assert!(matches!(storage.claim(request("clock", "a", "two"), back).await.unwrap(), ClaimAnswer::Taken(_)));
    let other = held(storage.claim(request("clock", "b", "one"), NOW).await.unwrap());
    let taken = held(storage.claim(request("clock", "b", "two"), back).await.unwrap());
    assert!(taken.fence > other.fence);
}
