//! Ten thousand runs: every question goes by an index, and pages follow one another without gap or repeat.

use std::path::Path;
use std::sync::Arc;

use guardhost_observer::wire::{EventBatch, EventSource, RunEvent};
use guardhost_pages::{ListCursor, ListKey, ListSort, RunList};
use guardhost_service::storage::runs::{self, COLUMNS, PAGE, Question};
use guardhost_service::storage::sqlite::Sqlite;
use guardhost_service::storage::{Micros, Storage};
use rusqlite::{Connection, params_from_iter};
use serde_json::json;

const RUNS: u64 = 10_000;
const MINUTE: i64 = 60_000_000;

/// One run a minute; every seventh was rejected by a guard, and every hundredth has not ended.
fn batch(number: u64) -> (EventBatch, Micros) {
    let at = Micros(1_790_000_000_000_000 + i64::try_from(number).unwrap() * MINUTE);
    let event = |n: u64, name: &str, data: serde_json::Value| {
        let mut line = json!({ "ts": at.text(), "round": 1 });
        line.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        RunEvent { n, name: name.to_owned(), data: line }
    };
    let is_rejected = number.is_multiple_of(7);
    let verdict = if is_rejected { "reject" } else { "pass" };
    let outcome = if is_rejected { "rejected" } else { "committed" };
    let mut events = vec![
        event(
            0,
            "run-started",
            json!({ "task": format!("Task number {number}"), "provider": (["claude", "codex"][number as usize % 2]) }),
        ),
        event(1, "judged", json!({ "id": format!("guard-{}", number % 14), "verdict": verdict, "mode": "enforce" })),
    ];
    if !number.is_multiple_of(100) {
        events.push(event(2, "run-ended", json!({ "outcome": outcome, "micros": number * 31 % 9_973 })));
    }
    let from = EventSource {
        repository: format!("forge.example/team/{}", number % 5),
        person: format!("Person {}", number % 11),
        machine: format!("m{}", number % 3),
        agent: ["", "codex"][number as usize % 2].to_owned(),
    };
    (EventBatch { repo: format!("repo-{}", number % 5), run: format!("run-{number:05}"), events, from }, at)
}

async fn database(folder: &Path) -> Arc<dyn Storage> {
    let storage: Arc<dyn Storage> = Arc::new(Sqlite::open(folder).unwrap());
    for part in (0..RUNS).collect::<Vec<_>>().chunks(250) {
        let mut writing = tokio::task::JoinSet::new();
        for number in part {
            let (storage, batch) = (Arc::clone(&storage), batch(*number).0);
            writing.spawn(async move { storage.append(batch).await.unwrap() });
        }
        writing.join_all().await;
    }
    storage
}

/// Later than the last run was heard of by more than a run may be quiet.
fn later() -> Micros {
    Micros::from_machine().plus_seconds(3_600)
}

fn plan(connection: &Connection, question: &Question) -> Vec<String> {
    let mut statement = connection.prepare(&format!("explain query plan {}", question.sql)).unwrap();
    let lines = statement.query_map(params_from_iter(&question.values), |row| row.get::<_, String>(3)).unwrap();
    lines.collect::<rusqlite::Result<_>>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_goes_by_an_index_and_sorts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let _storage = database(folder.path()).await;
    let connection = Connection::open(folder.path().join("observer.db")).unwrap();
    let now = later();
    let values = [
        (ListKey::State, "rejected"),
        (ListKey::State, "running"),
        (ListKey::Repository, "forge.example/team/1"),
        (ListKey::Person, "Person 3"),
        (ListKey::Machine, "m1"),
        (ListKey::Agent, "codex"),
        (ListKey::Provider, "claude"),
        (ListKey::Guard, "guard-7"),
    ];
    let mut queries: Vec<String> =
        ["", "sort=oldest", "sort=longest", "q=number+77", "since=2026-09-22&until=2026-09-23", "group=plan"]
            .map(str::to_owned)
            .into();
    for (key, value) in values {
        let one = RunList { chosen: [(key, value.to_owned())].into(), ..RunList::default() };
        queries.extend([one.query(), format!("{}&sort=oldest", one.query())]);
        for (other, value) in values.into_iter().filter(|(other, _)| *other > key) {
            let mut both = one.clone();
            both.chosen.insert(other, value.to_owned());
            queries.push(both.query());
        }
    }
    let places = ["", "after=1790000000000000.run-00500", "before=1790000000000000.run-00500"];
    for query in &queries {
        for place in places {
            let list = RunList::from_query(&format!("{query}&{place}"));
            for repo in [None, Some("repo-1")] {
                let lines = plan(&connection, &runs::rows(&list, repo, now));
                // A row is found by an index, or by the key of the table, and comes in the order of the list. By length what one repository has
                // is sorted: there is no index for each pair.
                let is_sorted = list.sort == ListSort::Longest && repo.is_some();
                let is_indexed = |line: &String| {
                    let by_index = line.contains("USING INDEX run_") || line.contains("USING PRIMARY KEY");
                    by_index || is_sorted && line.contains("TEMP B-TREE FOR ORDER BY")
                };
                assert!(lines.iter().all(is_indexed), "{query} {place}: {lines:?}");
            }
        }
        for accepted in [false, true] {
            let lines = plan(&connection, &runs::count(&RunList::from_query(query), None, accepted, now));
            assert!(!lines.iter().any(|line| line.contains("TEMP B-TREE")), "{query}: {lines:?}");
        }
    }
    let of_values = COLUMNS
        .iter()
        .map(|(_, column)| runs::values(column, None))
        .chain([runs::guards(None), runs::steps("x", None)]);
    for question in of_values {
        let lines = plan(&connection, &question);
        assert!(
            lines
                .iter()
                .filter(|line| !line.contains('v') && line.contains("run"))
                .all(|line| line.starts_with("SEARCH")),
            "{lines:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_follow_one_another_in_both_directions_and_conditions_combine() {
    let folder = tempfile::tempdir().unwrap();
    let storage = database(folder.path()).await;
    let now = later();
    for (query, expected) in [
        ("", (0..RUNS).filter(|_| true).collect::<Vec<_>>()),
        ("state=rejected", (0..RUNS).filter(|n| n % 7 == 0 && n % 100 != 0).collect()),
        ("state=interrupted&machine=m1", (0..RUNS).filter(|n| n % 100 == 0 && n % 3 == 1).collect()),
        ("guard=guard-7&person=Person%203&provider=codex", (0..RUNS).filter(|n| n % 14 == 7 && n % 11 == 3).collect()),
        (
            "q=NUMBER+777+task&repository=forge.example/team/2",
            (0..RUNS).filter(|n| n.to_string().contains("777") && n % 5 == 2).collect(),
        ),
        ("q=100%25", Vec::new()),
        ("q=_", Vec::new()),
    ] {
        for sort in ["newest", "oldest", "longest"] {
            let mut list = RunList::from_query(&format!("{query}&sort={sort}"));
            let (mut seen, mut pages) = (Vec::new(), Vec::new());
            loop {
                let mut found = storage.find_runs(runs::rows(&list, None, now)).await.unwrap();
                let is_more = found.len() > PAGE;
                found.truncate(PAGE);
                let ids: Vec<String> = found.iter().map(|found| found.summary.id.clone()).collect();
                seen.extend(ids.clone());
                pages.push((ids, found.first().map(|found| (found.at, found.summary.id.clone()))));
                let Some(last) = found.last().filter(|_| is_more) else { break };
                list.cursor = Some(ListCursor { at: last.at, run: last.summary.id.clone(), is_backwards: false });
            }
            let mut sorted = seen.clone();
            sorted.sort();
            let wanted: Vec<String> = expected.iter().map(|number| format!("run-{number:05}")).collect();
            assert_eq!(sorted, wanted, "{query} {sort}");
            match sort {
                "oldest" => assert_eq!(seen, wanted, "{query}"),
                "newest" => {
                    assert_eq!(seen.iter().rev().collect::<Vec<_>>(), wanted.iter().collect::<Vec<_>>(), "{query}")
                }
                _ => {}
            }
            // Backwards from the last page comes the one before it.
            if let [.., before, (_, Some((at, run)))] = pages.as_slice() {
                list.cursor = Some(ListCursor { at: *at, run: run.clone(), is_backwards: true });
                let found = storage.find_runs(runs::rows(&list, None, now)).await.unwrap();
                let back: Vec<String> = found.iter().take(PAGE).rev().map(|found| found.summary.id.clone()).collect();
                assert_eq!(back, before.0, "{query} {sort}");
            }
            assert_eq!(
                storage.count_runs(runs::count(&list, None, false, now)).await.unwrap(),
                expected.len().min(10_001)
            );
        }
    }
    let of_one = storage.find_runs(runs::rows(&RunList::default(), Some("repo-1"), now)).await.unwrap();
    assert!(
        of_one.iter().all(|found| found.summary.repository == "forge.example/team/1"),
        "a token for one repository shows no other"
    );
    assert_eq!(storage.run_values(runs::values("machine", None)).await.unwrap(), ["m0", "m1", "m2"]);
    assert_eq!(storage.run_values(runs::guards(None)).await.unwrap(), ["guard-0", "guard-7"]);
    assert_eq!(storage.run_values(runs::values("repository", Some("repo-4"))).await.unwrap(), ["forge.example/team/4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_earlier_version_gets_the_list_of_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let storage = database(folder.path()).await;
    let rows = async |storage: &dyn Storage| {
        let found = storage
            .find_runs(runs::rows(&RunList::from_query("state=rejected&person=Person%203"), None, later()))
            .await;
        found.unwrap().into_iter().map(|found| found.summary.id).collect::<Vec<_>>()
    };
    let before = rows(&*storage).await;
    assert!(before.len() > 90, "{}", before.len());
    storage.close().await;
    let connection = Connection::open(folder.path().join("observer.db")).unwrap();
    connection.execute_batch("drop table run_guard; drop table run; pragma user_version = 3").unwrap();
    drop(connection);
    let again = Sqlite::open(folder.path()).unwrap();
    // Who sent them is not in events.
    assert!(rows(&again).await.is_empty());
    let found = again
        .find_runs(runs::rows(&RunList::from_query("state=rejected&guard=guard-7&sort=oldest"), None, later()))
        .await
        .unwrap();
    assert_eq!(found.first().map(|found| found.summary.id.as_str()), Some("run-00007"));
    again.close().await;
}
