//! Observers that are away, slow, lying or broken: a run ends as it would without one, says what it missed, and its letters arrive once.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use super::runs::{BAD, GOOD, claude, repo, run};
use super::served::Served;
use crate::support::server::{Play, Server};
use crate::support::servers::free_port;

#[test]
fn an_absent_observer_changes_no_outcome_and_misses_nothing_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let json_of = |body: &str| Play::new(200, "application/json", body);
    let another = json!({ "id": "0198c0de-0000-7000-8000-000000000000", "ts": "2026-11-23T00:00:00Z", "repo": "other",
        "key": "other", "holder": "other", "fence": 1, "until": "2026-11-23T00:00:00Z", "tree": "other", "languages": [], "stack": [],
        "declared_deps": {}, "declared_frameworks": [], "entrypoints": [], "manifest_files": [] });
    let observers: Vec<(&str, String)> = vec![
        ("off", format!("http://127.0.0.1:{}", free_port())),
        ("no name", "http://observer.invalid:1".to_owned()),
        ("slow", Server::start(vec![Play { hang: true, pause: Duration::from_secs(3600), ..json_of("{}") }]).url),
        ("5xx", Server::start(vec![Play::new(503, "text/plain", "down \u{1b}[31m for repairs")]).url),
        ("no JSON", Server::start(vec![Play::new(200, "text/html", "<html>")]).url),
        ("wrong JSON", Server::start(vec![json_of("[{\"a\": 1}]")]).url),
        ("lying", Server::start(vec![json_of(&another.to_string())]).url),
        ("cut", Server::start(vec![Play { cut: true, ..json_of("{\"id\":") }]).url),
    ];
    let served = Served::start(&folder.path().join("data"), &[]);
    let mut expected = 0;
    for (name, url) in observers {
        for (reply, code) in [(GOOD, 0), (BAD, 1)] {
            let repo = repo();
            let path = claude(folder.path(), reply, "");
            let begun = Instant::now();
            let ran = run(repo.path(), &path, &url).expect(code);
            let report = ran.json();
            let notices = report["notices"].to_string();
            assert!(notices.contains("the observer: "), "{name}: {notices}");
            assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{name}: {ran:?}");
            let trace = fs::read_to_string(report["trace"].as_str().expect("a trace")).expect("the trace");
            assert!(trace.contains("the observer: "), "{name}: the trace says nothing");
            // The bound of a run, and the one question of the sender of events; the machine may be slow.
            assert!(begun.elapsed() < Duration::from_secs(60), "{name}: {:?}", begun.elapsed());
            let outbox = repo.path().join(".git/guardhost/outbox");
            let waiting = || {
                fs::read_dir(&outbox)
                    .expect("letters")
                    .filter(|entry| {
                        entry
                            .as_ref()
                            .is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == "json"))
                    })
                    .count()
            };
            assert!(waiting() >= 2, "{name}: its observation and its events wait");
            // The next run sends them, with its own.
            run(repo.path(), &path, &served.url);
            assert_eq!(waiting(), 0, "{name}");
            expected += 2;
            let log = served.log();
            assert_eq!(log.len(), expected, "{name}");
            assert!(log.iter().any(|row| row["run_id"] == report["run"]), "{name}");
            let mut ids: Vec<&str> = log.iter().filter_map(|row| row["key"].as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), expected, "{name}: once each");
        }
    }
}
