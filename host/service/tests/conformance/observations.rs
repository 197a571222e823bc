//! Observations.

use std::collections::BTreeSet;

use guardhost_core::change::AttemptOutcome;
use guardhost_observer::wire::NewObservation;
use guardhost_service::storage::{LogQuery, Micros, StorageError};
use uuid::Uuid;

use super::Shared;

pub fn observed(repo: &str, run: &str) -> NewObservation {
    NewObservation {
        id: Some(Uuid::now_v7()),
        repo: repo.into(),
        run_id: run.into(),
        agent: "host".into(),
        outcome: AttemptOutcome::Fail,
        subtask_id: Some("T1".into()),
        model: None,
        branch: None,
        machine: Some("build-7".into()),
        title: Some("Let x return 2".into()),
        commit_sha: None,
        tree: Some("4b825dc642cb6eb9a060e54bf8d69288fbee4904".into()),
        touched_files: vec!["src/a.py".into()],
        failure_modes: vec!["syntax-holds".into()],
        confidence: Some(0.5),
        plan: None,
        step_digest: None,
        began_at: None,
        claim: None,
    }
}

fn newest(repo: &str, limit: u32) -> LogQuery {
    LogQuery { repo: Some(repo.into()), limit, ..LogQuery::default() }
}

pub async fn every_outcome_is_kept_and_comes_back_newest_first(storage: Shared) {
    for outcome in AttemptOutcome::ALL {
        storage.observe(NewObservation { outcome, ..observed("outcomes", outcome.as_str()) }).await.unwrap();
    }
    let page = storage.agent_log(newest("outcomes", 100)).await.unwrap();
    let runs: Vec<_> = page.rows.iter().map(|row| (row.observed.run_id.as_str(), row.observed.outcome)).collect();
    let expected: Vec<_> = AttemptOutcome::ALL.iter().rev().map(|outcome| (outcome.as_str(), *outcome)).collect();
    assert_eq!((runs, page.next), (expected, None));
    assert_eq!(page.rows[0].observed.touched_files, ["src/a.py"]);
}

pub async fn an_id_is_kept_once_and_names_one_content(storage: Shared) {
    let first = observed("ids", "r");
    let kept = storage.observe(first.clone()).await.unwrap();
    let again = storage.observe(first.clone()).await.unwrap();
    assert_eq!((kept.id, &kept.ts, kept.duplicate, again.duplicate), (again.id, &again.ts, false, true));
    let other = NewObservation { outcome: AttemptOutcome::Success, ..first.clone() };
    assert!(matches!(storage.observe(other).await, Err(StorageError::IdReused(_))));
    let nameless = NewObservation { id: None, ..first };
    let (one, two) = (storage.observe(nameless.clone()).await.unwrap(), storage.observe(nameless).await.unwrap());
    assert_ne!(one.id, two.id);
    assert_eq!(storage.agent_log(newest("ids", 100)).await.unwrap().rows.len(), 3);
}

pub async fn pages_follow_one_another_without_gap_or_repeat(storage: Shared) {
    let mut expected = Vec::new();
    for number in 0..25 {
        let new = observed("pages", &format!("r{number}"));
        expected.push(new.run_id.clone());
        storage.observe(new).await.unwrap();
    }
    expected.reverse();
    let (mut seen, mut query) = (Vec::new(), newest("pages", 7));
    loop {
        let page = storage.agent_log(query.clone()).await.unwrap();
        seen.extend(page.rows.into_iter().map(|row| row.observed.run_id));
        // What comes in between is newer than all pages.
        storage.observe(observed("pages", "late")).await.unwrap();
        match page.next {
            Some(next) => query.before = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, expected);
}

pub async fn conditions_narrow_what_comes(storage: Shared) {
    storage.observe(observed("narrow", "one")).await.unwrap();
    storage.observe(NewObservation { agent: "other".into(), ..observed("narrow", "two") }).await.unwrap();
    storage.observe(observed("narrow-too", "three")).await.unwrap();
    let now = storage.now().await.unwrap();
    let count = async |query: LogQuery| storage.agent_log(LogQuery { limit: 10, ..query }).await.unwrap().rows.len();
    let repo = || Some("narrow".to_owned());
    assert_eq!(count(LogQuery { repo: repo(), ..LogQuery::default() }).await, 2);
    assert_eq!(count(LogQuery { repo: repo(), agent: Some("other".into()), ..LogQuery::default() }).await, 1);
    assert_eq!(count(LogQuery { repo: repo(), run_id: Some("one".into()), ..LogQuery::default() }).await, 1);
    assert_eq!(count(LogQuery { repo: repo(), run_id: Some("three".into()), ..LogQuery::default() }).await, 0);
    assert_eq!(count(LogQuery { run_id: Some("three".into()), ..LogQuery::default() }).await, 1);
    let past = Some(Micros(now.0 - 60_000_000));
    assert_eq!(count(LogQuery { repo: repo(), since: past, ..LogQuery::default() }).await, 2);
    let future = Some(Micros(now.0 + 60_000_000));
    assert_eq!(count(LogQuery { repo: repo(), since: future, ..LogQuery::default() }).await, 0);
}

pub async fn many_at_once_are_all_kept(storage: Shared) {
    let mut tasks = Vec::new();
    for client in 0..20 {
        let storage = Shared::clone(&storage);
        tasks.push(tokio::spawn(async move {
            let mut ids = Vec::new();
            for number in 0..10 {
                ids.push(storage.observe(observed("many", &format!("{client}-{number}"))).await.unwrap().key);
            }
            ids
        }));
    }
    let mut ids = BTreeSet::new();
    for task in tasks {
        ids.extend(task.await.unwrap());
    }
    let page = storage.agent_log(newest("many", 1_000)).await.unwrap();
    let kept: BTreeSet<_> = page.rows.iter().filter_map(|row| row.observed.id).collect();
    assert_eq!((kept.len(), page.rows.len()), (200, 200));
    assert_eq!(kept, ids);
}

pub async fn a_commit_leads_to_its_agent(storage: Shared) {
    let commit = "c".repeat(40);
    let made = NewObservation { commit_sha: Some(commit.clone()), ..observed("commits", "r") };
    storage.observe(NewObservation { agent: "first".into(), ..made.clone() }).await.unwrap();
    let id = Some(Uuid::now_v7());
    storage.observe(NewObservation { agent: "second".into(), id, ..made }).await.unwrap();
    let found = storage.by_commit(&commit, Some("commits")).await.unwrap().unwrap();
    assert_eq!(found.observed.agent, "second");
    assert!(storage.by_commit(&commit, Some("elsewhere")).await.unwrap().is_none());
    assert!(storage.by_commit(&"d".repeat(40), None).await.unwrap().is_none());
}
