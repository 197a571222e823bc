//! A server that is killed under load has lost nothing that it acknowledged, and has nothing twice.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::served::{Served, ask};

const KILLS: usize = 30;
const CLIENTS: usize = 8;

#[test]
fn thirty_kills_lose_and_double_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let acknowledged: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let mut sent = 0;
    for kill in 0..KILLS {
        let served = Served::start(&data, &[]);
        let ends = Arc::new(AtomicBool::new(false));
        let before = acknowledged.lock().expect("a set").len();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (url, ends, acknowledged) = (served.url.clone(), Arc::clone(&ends), Arc::clone(&acknowledged));
                std::thread::spawn(move || {
                    let mut sent = 0;
                    while !ends.load(Ordering::Relaxed) {
                        let id = Uuid::now_v7().to_string();
                        let body =
                            json!({ "id": id, "run_id": format!("{kill}-{client}"), "agent": "a", "outcome": "fail" });
                        // Each is sent twice, as a client does whose answer was lost.
                        for _ in 0..2 {
                            sent += 1;
                            match ask(&url, "POST", "/observation", Some(&body)) {
                                Ok((200, _)) => drop(acknowledged.lock().expect("a set").insert(id.clone())),
                                Ok((status, body)) => panic!("{status}: {body}"),
                                Err(_) => return sent,
                            }
                        }
                    }
                    sent
                })
            })
            .collect();
        // Killed in the midst of it: once some were acknowledged.
        while acknowledged.lock().expect("a set").len() < before + 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        served.kill();
        ends.store(true, Ordering::Relaxed);
        sent += clients.into_iter().map(|client| client.join().expect("a client")).sum::<usize>();
    }
    let served = Served::start(&data, &[]);
    let (mut kept, mut rows, mut runs) = (BTreeSet::new(), 0, 0);
    for kill in 0..KILLS {
        for client in 0..CLIENTS {
            let (status, log) = served.get(&format!("/repo/agent-log?limit=1000&run_id={kill}-{client}"));
            assert_eq!(status, 200);
            let log = log.as_array().expect("a list").clone();
            assert!(log.len() < 1_000, "one page holds all");
            (rows, runs) = (rows + log.len(), runs + 1);
            kept.extend(log.iter().map(|row| row["key"].as_str().expect("a key").to_owned()));
        }
    }
    let acknowledged = acknowledged.lock().expect("a set");
    eprintln!("{KILLS} kills, {sent} requests, {} acknowledged, {} kept, {runs} runs", acknowledged.len(), kept.len());
    assert_eq!(rows, kept.len(), "a row is there twice");
    assert!(acknowledged.is_subset(&kept), "{} acknowledged rows are lost", acknowledged.difference(&kept).count());
    assert!(acknowledged.len() >= KILLS * 20);
}
