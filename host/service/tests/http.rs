//! The endpoints, as clients see them.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardhost_service::answers::Roots;
use guardhost_service::http::{Endpoint, ServerLimits};
use guardhost_service::serve::ServerSettings;
use guardhost_service::storage::Storage;
use guardhost_service::storage::retention::Retention;
use guardhost_service::storage::sqlite::{FILE, Sqlite};
use guardhost_service::tokens;
use serde_json::{Value, json};
use support::{FakeAnswers, Served, ask};

fn with_answers(root: &std::path::Path) -> Served {
    let roots = Roots::new([root.to_owned()]);
    Served::with(|settings| ServerSettings { answers: Some(Arc::new(FakeAnswers)), roots, ..settings })
}

#[test]
fn the_contract_and_the_router_agree() {
    let served = Served::start();
    let (status, contract) = served.get("/contract");
    assert_eq!(status, 200);
    let described: BTreeMap<String, BTreeSet<String>> = contract["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .map(|(path, item)| (path.clone(), item.as_object().expect("methods").keys().cloned().collect()))
        .collect();
    let routed: BTreeMap<String, BTreeSet<String>> = Endpoint::ALL
        .into_iter()
        .map(|endpoint| {
            let methods = endpoint.methods().iter().map(|method| method.to_lowercase()).collect();
            (endpoint.path().replace("{*", "{"), methods)
        })
        .collect();
    assert_eq!(described, routed);
    for (path, methods) in routed {
        let path = path.replace("{path}", "src/a.py").replace("{commit}", "abc").replace("{run}", "r");
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if path == "/events" && method == "GET" {
                continue;
            }
            let (status, _) = ask(served.address(), method, &path, &[], "{}");
            let is_there = status != 405;
            assert_eq!(is_there, methods.contains(&method.to_lowercase()), "{method} {path}: {status}");
        }
    }
    assert_eq!(served.get("/nothing").0, 404);
}

/// Every schema that the contract names exists, and answers fit the required fields of theirs.
#[test]
fn answers_have_the_fields_that_the_contract_requires() {
    let folder = tempfile::tempdir().unwrap();
    let served = with_answers(folder.path());
    let contract: Value = served.get("/contract").1;
    let text = contract.to_string();
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(contract["components"]["schemas"][name].is_object(), "{name}");
    }
    let observation = json!({ "run_id": "r", "agent": "a", "outcome": "fail", "commit_sha": "abc" });
    let claim = json!({ "key": "k", "holder": "h" });
    let batch = json!({ "run": "r", "events": [{ "n": 0, "name": "run.begin", "data": {} }] });
    let facts = json!({ "repo": "x", "tree": "t", "languages": [], "stack": [], "declared_deps": {},
        "declared_frameworks": [], "entrypoints": [], "manifest_files": [] });
    let target = format!("target={}", folder.path().display());
    for (schema, (status, answer)) in [
        ("Posted", served.send("POST", "/observation", &observation)),
        ("Claim", served.send("POST", "/claim", &claim)),
        ("ClaimState", served.get("/claim?key=k")),
        ("Appended", served.send("POST", "/events", &batch)),
        ("Fingerprint", served.get(&format!("/repo/fingerprint?{target}"))),
        ("RepositoryContext", served.get(&format!("/repo/context?{target}"))),
        ("Churn", served.get(&format!("/repo/churn/src/a.py?since=7d&{target}"))),
        ("FileFingerprint", served.get(&format!("/file/fingerprint?path=a.py&{target}"))),
        ("AgentIdentity", served.get("/agent/identity/abc")),
    ] {
        assert_eq!(status, 200, "{schema}: {answer}");
        let described = &contract["components"]["schemas"][schema];
        let required = described["required"].as_array().unwrap();
        let (known, fields) = (described["properties"].as_object().unwrap(), answer.as_object().unwrap());
        required.iter().for_each(|name| assert!(fields.contains_key(name.as_str().unwrap()), "{schema}.{name}"));
        fields.keys().for_each(|name| assert!(known.contains_key(name), "{schema}.{name} is not described"));
    }
    assert_eq!(served.send("PUT", "/repo/fingerprint", &facts), (200, json!({ "kept": true })));
    assert_eq!(served.get("/repo/fingerprint?repo=x&tree=t").0, 200);
    let log = served.get("/repo/agent-log").1;
    assert_eq!((log[0]["outcome"].clone(), log[0]["touched_files"].clone()), (json!("fail"), json!([])));
    for path in ["/repo/blame/src/a%20b.py", "/file/imports?path=a.py"] {
        assert_eq!(served.get(path), (200, json!([])), "{path}");
    }
    assert_eq!(served.get("/agent/identity/nobody").0, 404);
    assert_eq!(served.get("/diff?base=a&branch=b").0, 400);
    assert_eq!(served.get("/file/exports?path=a.md").0, 404);
    assert_eq!(served.get("/symbol?path=a.py&name=f").0, 500);
    assert_eq!(served.get("/symbol?path=a.py").0, 400);
    for (wrong, status) in [("/etc", 403), ("relative", 403), ("--json", 400)] {
        assert_eq!(served.get(&format!("/repo/context?target={wrong}")).0, status, "{wrong}");
    }
}

#[test]
fn a_client_of_the_seed_works_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let served = with_answers(folder.path());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/seed_client.py");
    let ran = Command::new("python3").args([script, &served.url]).arg(folder.path()).output().expect("python3");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let seen: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let ids: BTreeSet<i64> = seen["ids"].as_array().unwrap().iter().map(|id| id.as_i64().expect("an id")).collect();
    assert_eq!((ids.len(), &seen["refused"]), (5, &Value::Null));
    let outcomes: Vec<_> = seen["log"].as_array().unwrap().iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!(outcomes, ["skipped", "aborted", "partial", "fail", "success"]);
    assert_eq!(seen["log"][3]["failure_modes"], json!(["ast_diff"]));
    assert_eq!((&seen["wide"], &seen["nobody"], &seen["away"]), (&json!(5), &json!([]), &json!([])));
    assert_eq!(seen["fingerprint"]["stack"], json!(["npm"]));
    assert!(seen["context"]["commit_sha"].is_string());
    assert_eq!((&seen["claim"]["holder"], &seen["second_claim"]), (&json!("one"), &Value::Null));
    assert_eq!((&seen["claimed"][0]["agent"], &seen["released"]["released"]), (&json!("one"), &json!(true)));
}

#[test]
fn tokens_open_their_repositories_and_nothing_else() {
    let served = Served::with(|settings| ServerSettings { tokens: true, ..settings });
    let all = served.wait(tokens::create(&*served.storage, "all", None)).unwrap();
    let one = served.wait(tokens::create(&*served.storage, "one", Some(vec!["mine".into()]))).unwrap();
    let two = served.wait(tokens::create(&*served.storage, "two", Some(vec!["a".into(), "b".into()]))).unwrap();
    let rows = served.wait(served.storage.tokens()).unwrap();
    assert!(rows.iter().all(|row| ![&all, &one, &two].contains(&&row.hash)), "only digests are kept");
    let get = |path: &str, token: &str| {
        ask(served.address(), "GET", path, &[("authorization", &format!("Bearer {token}"))], "").0
    };
    let post = |repo: &str, token: &str| {
        let body = json!({ "repo": repo, "run_id": "r", "agent": "a", "outcome": "fail" }).to_string();
        ask(served.address(), "POST", "/observation", &[("authorization", &format!("Bearer {token}"))], &body).0
    };
    assert_eq!(served.get("/repo/agent-log").0, 401);
    assert_eq!((served.get("/healthz").0, served.get("/readyz").0, served.get("/metrics").0), (200, 200, 401));
    assert_eq!(get("/repo/agent-log", "gho_wrong"), 401);
    assert_eq!((get("/repo/agent-log", &all), get("/repo/agent-log?repo=any", &all)), (200, 200));
    assert_eq!((get("/repo/agent-log?repo=mine", &one), get("/repo/agent-log?repo=other", &one)), (200, 403));
    assert_eq!((get("/claim?repo=other&key=k", &one), get("/events?repo=other", &one)), (403, 403));
    assert_eq!((get("/repo/agent-log", &one), get("/repo/agent-log", &two)), (200, 400));
    assert_eq!((post("mine", &one), post("", &one), post("other", &one), post("", &two)), (200, 200, 403, 400));
    // What a token wrote without a name is of its repository.
    let body = ask(served.address(), "GET", "/repo/agent-log", &[("authorization", &format!("Bearer {one}"))], "").1;
    assert_eq!(body.as_array().unwrap().iter().map(|row| row["repo"].clone()).collect::<Vec<_>>(), ["mine", "mine"]);
    served.wait(served.storage.remove_token("one")).unwrap();
    assert_eq!(get("/repo/agent-log?repo=mine", &one), 401);
}

#[test]
fn requests_of_pages_in_the_web_are_refused() {
    let served = Served::start();
    let get = |host: &str| ask(served.address(), "GET", "/repo/agent-log", &[("host", host)], "").0;
    let allowed = ["localhost", "127.0.0.1:29030", "[::1]:80", "127.0.0.2"];
    allowed.iter().for_each(|host| assert_eq!(get(host), 200, "{host}"));
    let foreign = ["evil.example", "localhost.evil.example:80", "127.0.0.1.nip.io", "10.0.0.1"];
    foreign.iter().for_each(|host| assert_eq!(get(host), 403, "{host}"));
    let simple = [("content-type", "text/plain")];
    let body = r#"{"run_id":"r","agent":"a","outcome":"fail"}"#;
    let mut stream = TcpStream::connect(served.address()).unwrap();
    write!(stream, "POST /observation HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{}: {}\r\ncontent-length: {}\r\n\r\n{body}", simple[0].0, simple[0].1, body.len()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    assert!(line.contains("400"), "a form of a page cannot post: {line}");
}

#[test]
fn limits_hold() {
    let limits =
        ServerLimits { connections: 4, head: Duration::from_millis(300), streams: 1, ..ServerLimits::default() };
    let served = Served::with(|settings| ServerSettings { limits, ..settings });
    let huge = json!({ "run_id": "r", "agent": "a", "outcome": "fail", "touched_files": ["x".repeat(70_000)] });
    assert_eq!(served.send("POST", "/observation", &huge).0, 413);
    let endless = json!({ "run": "r", "events": [{ "n": 0, "name": "e", "data": "x".repeat(5 << 20) }] });
    assert_eq!(served.send("POST", "/events", &endless).0, 413);
    for wrong in [
        json!({ "run_id": "", "agent": "a", "outcome": "fail" }),
        json!({ "run_id": "a\nb", "agent": "a", "outcome": "fail" }),
        json!({ "run_id": "r", "agent": "a", "outcome": "fail", "confidence": 2 }),
        json!({ "run_id": "r", "agent": "a", "outcome": "fail", "id": "7" }),
        json!([]),
    ] {
        assert_eq!(served.send("POST", "/observation", &wrong).0, 400, "{wrong}");
    }
    assert_eq!(served.get("/repo/agent-log?since=yesterday").0, 400);
    assert_eq!(served.get("/repo/agent-log?limit=many").0, 400);
    // Those that say nothing lose their place after a while; while they have it, no other is taken in.
    let idle: Vec<TcpStream> = (0..4).map(|_| TcpStream::connect(served.address()).unwrap()).collect();
    let mut answer = String::new();
    let mut tries = 0;
    while !answer.contains("200") {
        tries += 1;
        assert!(tries < 200, "the places of idle connections were never free");
        std::thread::sleep(Duration::from_millis(20));
        let Ok(mut stream) = TcpStream::connect(served.address()) else { continue };
        let _ = write!(stream, "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        answer.clear();
        let _ = BufReader::new(stream).read_line(&mut answer);
    }
    drop(idle);
}

/// Reads a stream of events until it has so many that `wanted` is content, or `None` of the line.
fn listen(served: &Served, path: &str, last_id: Option<u64>, mut wanted: impl FnMut(&str) -> bool) {
    let mut stream = TcpStream::connect(served.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let id = last_id.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n{id}\r\n").unwrap();
    for line in BufReader::new(stream).lines() {
        if !wanted(&line.unwrap()) {
            return;
        }
    }
    panic!("the stream ended");
}

fn ids(served: &Served, path: &str, last_id: Option<u64>, count: usize) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    listen(served, path, last_id, |line| {
        if let Some(data) = line.strip_prefix("data: ") {
            let event: Value = serde_json::from_str(data).unwrap();
            found.push((event["seq"].as_u64().unwrap(), event["n"].as_u64().unwrap()));
        }
        found.len() < count
    });
    found
}

#[test]
fn events_come_live_resume_and_are_never_doubled() {
    let mut served = Served::start();
    let batch = |from: u64, to: u64| {
        let events: Vec<_> =
            (from..to).map(|n| json!({ "n": n, "name": "guard.judged", "data": { "n": n } })).collect();
        json!({ "repo": "r", "run": "run", "events": events })
    };
    assert_eq!(served.send("POST", "/events", &batch(0, 5)).0, 200);
    let all = ids(&served, "/events?after=0", None, 5);
    assert_eq!(all.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // Comes back where it was, and sees what is added while it listens.
    let url = served.address().to_owned();
    let body = batch(3, 8).to_string();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        ask(&url, "POST", "/events", &[], &body)
    });
    let rest = ids(&served, "/events?repo=r&run=run", Some(all[2].0), 5);
    assert_eq!(rest.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
    assert_eq!(writer.join().unwrap().1["added"], 3, "those that it had are not added again");
    // A number that this server never gave: read anew.
    let mut resync = false;
    listen(&served, "/events", Some(1_000_000), |line| {
        resync |= line == "event: resync";
        !line.starts_with("data: ")
    });
    assert!(resync);
    served.stop();
}

#[test]
fn metrics_have_closed_labels_and_count() {
    let served = Served::start();
    for path in ["/repo/agent-log", "/nothing/at/all", "/repo/blame/some/file.py", "/agent/identity/c0ffee"] {
        served.get(path);
    }
    served.send("POST", "/observation", &json!({ "run_id": "r", "agent": "an-agent", "outcome": "skipped" }));
    let Value::String(text) = served.get("/metrics").1 else { panic!("no text") };
    assert!(text.contains(r#"guardhost_observations_total{outcome="skipped"} 1"#), "{text}");
    assert!(text.contains(r#"endpoint="/repo/blame/{*path}""#) && text.contains(r#"endpoint="none""#), "{text}");
    assert!(!text.contains("file.py") && !text.contains("an-agent") && !text.contains("c0ffee"), "{text}");
}

#[test]
fn the_end_is_graceful() {
    let mut served = Served::start();
    let mut stream = TcpStream::connect(served.address()).unwrap();
    write!(stream, "GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("200"));
    served.stop();
    while lines.next().is_some_and(|line| line.is_ok()) {}
    assert!(TcpStream::connect(served.address()).is_err(), "nothing listens any more");
}

#[test]
fn pages_stand_beside_the_endpoints() {
    let pages = axum::Router::new().route("/pages/{*path}", axum::routing::get(|| async { "a page" }));
    let served = Served::with(|settings| ServerSettings { tokens: true, pages: Some(pages), ..settings });
    assert_eq!((served.get("/healthz").0, served.get("/pages/x").0, served.get("/nothing").0), (200, 401, 401));
    let token = served.wait(tokens::create(&*served.storage, "all", None)).unwrap();
    let bearer = format!("Bearer {token}");
    let get = |path: &str| ask(served.address(), "GET", path, &[("authorization", &bearer)], "");
    assert_eq!(get("/pages/x"), (200, json!("a page")));
    assert_eq!((get("/nothing").0, get("/repo/agent-log").0), (404, 200));
    let text = get("/metrics").1.to_string();
    assert!(text.contains("/repo/agent-log"), "{text}");
}

/// Of the rows that a server finds at its start, the old ones go by themselves.
#[test]
fn a_server_removes_what_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(Sqlite::open(folder.path()).unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for run in ["old", "older", "new"] {
        let new = json!({ "run_id": run, "agent": "a", "outcome": "fail" });
        runtime.block_on(storage.observe(serde_json::from_value(new).unwrap())).unwrap();
    }
    let database = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    database.busy_timeout(Duration::from_secs(30)).unwrap();
    let aged = "update observation set ts = ts - 91 * 86400 * 1000000 where run_id <> 'new'";
    assert_eq!(database.execute(aged, []).unwrap(), 2);
    let retention = Retention { first: Duration::ZERO, ..Retention::default() };
    let served = Served::with(|settings| ServerSettings { storage, retention, ..settings });
    let removed = "guardhost_removed_rows_total{table=\"observation\"} 2";
    let end = Instant::now() + Duration::from_secs(60);
    while !served.get("/metrics").1.as_str().unwrap().contains(removed) {
        assert!(Instant::now() < end, "nothing was removed");
        std::thread::sleep(Duration::from_millis(20));
    }
    let log = served.get("/repo/agent-log").1;
    assert_eq!(log.as_array().unwrap().iter().map(|row| &row["run_id"]).collect::<Vec<_>>(), ["new"]);
}
