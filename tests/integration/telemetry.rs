//! Spans for a collector of OpenTelemetry: what arrives, decoded; and that nobody waits for a collector that is away.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run::claude;
use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;
use crate::support::server::{Play, Server};

const GOOD: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";
const BAD: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n";
const SECRET: &str = "sk-very-secret-key-0123456789";
const TASK: &str = "Let x return 2, as the plan of Ada says";

/// A span as it arrives.
#[derive(Debug)]
pub struct Arrived {
    pub name: String,
    pub id: String,
    pub parent: Option<String>,
    pub trace: String,
    pub start: u64,
    pub end: u64,
    pub attributes: BTreeMap<String, String>,
    pub status: Value,
}

pub fn collector() -> Server {
    Server::start(vec![Play::new(200, "application/json", "{}")])
}

/// All spans that a collector got, and the service that sent them.
pub fn arrived(collector: &Server) -> Vec<Arrived> {
    let mut all = Vec::new();
    for request in collector.requests() {
        assert_eq!(request.line, "POST /v1/traces");
        assert!(request.headers.contains(&("content-type".to_owned(), "application/json".to_owned())));
        let [resource] = request.body["resourceSpans"].as_array().unwrap().as_slice() else { panic!("one resource") };
        assert_eq!(resource["resource"]["attributes"][0]["key"], "service.name");
        let [scope] = resource["scopeSpans"].as_array().unwrap().as_slice() else { panic!("one scope") };
        all.extend(scope["spans"].as_array().unwrap().iter().map(span));
    }
    all
}

fn span(span: &Value) -> Arrived {
    let text = |key: &str| span[key].as_str().unwrap_or_else(|| panic!("no {key}: {span}")).to_owned();
    let hex = |key: &str, digits: usize| {
        let id = text(key);
        assert!(id.len() == digits && id.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()), "{span}");
        id
    };
    let attribute = |pair: &Value| {
        let value = pair["value"].as_object().unwrap().values().next().unwrap();
        (pair["key"].as_str().unwrap().to_owned(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    Arrived {
        name: text("name"),
        id: hex("spanId", 16),
        parent: span.get("parentSpanId").map(|_| hex("parentSpanId", 16)),
        trace: hex("traceId", 32),
        start: text("startTimeUnixNano").parse().unwrap(),
        end: text("endTimeUnixNano").parse().unwrap(),
        attributes: span["attributes"].as_array().unwrap().iter().map(attribute).collect(),
        status: span["status"].clone(),
    }
}

fn named<'a>(all: &'a [Arrived], name: &str) -> Vec<&'a Arrived> {
    all.iter().filter(|span| span.name == name).collect()
}

fn check(env: &[(&str, &str)]) -> Ran {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    repo.write("x.py", "def x(:\n    return 1\n");
    repo.stage_all();
    host_with(repo.path(), &["check", "--staged", "--format", "json"], b"", env)
}

#[test]
fn a_check_is_a_span_with_one_for_each_guard() {
    let collector = collector();
    let ran = check(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url),
        ("OTEL_EXPORTER_OTLP_HEADERS", &format!("authorization=Bearer%20{SECRET}")),
        ("OTEL_SERVICE_NAME", "the-gate"),
        ("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
    ])
    .expect(1);
    let all = arrived(&collector);
    let sent = collector.requests();
    assert!(
        sent.iter().all(|request| request.headers.contains(&("authorization".to_owned(), format!("Bearer {SECRET}"))))
    );
    assert_eq!(sent[0].body["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "the-gate");
    let [root] = named(&all, "host check")[..] else { panic!("{all:?}") };
    assert_eq!(root.parent.as_deref(), Some("b7ad6b7169203331"));
    assert!(all.iter().all(|span| span.trace == "0af7651916cd43dd8448eb211c80319c" && span.start <= span.end));
    let [judge] = named(&all, "judge")[..] else { panic!("{all:?}") };
    assert_eq!(judge.parent.as_ref(), Some(&root.id));
    let guards = named(&all, "guard");
    assert!(guards.iter().all(|guard| guard.parent.as_ref() == Some(&judge.id)));
    let said: BTreeMap<&str, &str> = guards
        .iter()
        .map(|guard| (&*guard.attributes["guardhost.guard.id"], &*guard.attributes["guardhost.guard.verdict"]))
        .collect();
    let report = ran.json();
    for guard in report["guards"].as_array().unwrap() {
        assert_eq!(said[guard["id"].as_str().unwrap()], guard["verdict"].as_str().unwrap(), "{guard}");
    }
    // A rejection is no failure of the program.
    assert!(all.iter().all(|span| span.status == serde_json::json!({})), "{all:?}");
    assert!(!ran.stderr.contains("traces"), "{ran:?}");
}

#[test]
fn a_run_has_spans_of_its_rounds_and_nothing_of_its_texts() {
    let collector = collector();
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    let path = claude(repo.path(), &[BAD, GOOD]);
    let args = ["run", "--task", TASK, "--file-hint", "x.py", "--provider", "claude", "--format", "json"];
    let env = [("PATH", &*path), ("ANTHROPIC_API_KEY", SECRET), ("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)];
    let json = host_with(repo.path(), &args, b"", &env).expect(0).json();
    let all = arrived(&collector);
    let [root] = named(&all, "host run")[..] else { panic!("{all:?}") };
    assert_eq!(root.parent, None);
    let [run] = named(&all, "run")[..] else { panic!("{all:?}") };
    assert_eq!((run.parent.as_ref(), &*run.attributes["guardhost.outcome"]), (Some(&root.id), "committed"));
    let rounds = named(&all, "attempt");
    assert_eq!(rounds.len(), 2);
    assert!(rounds.iter().all(|round| round.parent.as_ref() == Some(&run.id)));
    for name in ["provide", "apply", "judge"] {
        let parents: Vec<_> = named(&all, name).iter().map(|span| span.parent.as_ref()).collect();
        assert_eq!(parents, [Some(&rounds[0].id), Some(&rounds[1].id)], "{name}: {all:?}");
    }
    assert_eq!(named(&all, "provide")[0].attributes["guardhost.tokens.output"], "120");
    // The rejected attempt is kept under a ref, and has no commit of the run.
    let commits: Vec<_> = named(&all, "settle").iter().map(|span| span.attributes.get("guardhost.commit")).collect();
    assert_eq!(commits, [None, Some(&json["commit"].as_str().unwrap().to_owned())]);
    let sent: String = collector.requests().iter().map(|request| request.body.to_string()).collect();
    for kept in [SECRET, TASK, "plan of Ada", "return (2", "def x", "x.py", repo.path().to_str().unwrap()] {
        assert!(!sent.contains(kept), "{kept}");
    }
}

/// Off unless the variables ask for it; and what cannot be sent changes neither the result nor the exit code, and is said once.
#[test]
fn a_collector_that_is_away_is_said_once() {
    let refused = Server::start(vec![Play::new(503, "text/plain", "busy")]);
    let partial = r#"{"partialSuccess":{"rejectedSpans":"3"}}"#;
    let partial = Server::start(vec![Play::new(200, "application/json", partial)]);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_url = format!("http://{}", silent.local_addr().unwrap());
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let plain = check(&[]).expect(1);
    let endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
    for (env, said) in [
        (&[(endpoint, &*closed)][..], Some("cannot be reached")),
        (&[(endpoint, &*refused.url)], Some("503")),
        (&[(endpoint, &*partial.url)], Some("refuses 3 spans")),
        (&[(endpoint, &*silent_url)], Some("did not take all spans")),
        (&[(endpoint, "127.0.0.1:4318")], Some("no traces are sent")),
        (&[(endpoint, &*closed), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")], Some("grpc")),
        (&[(endpoint, &*closed), ("OTEL_SDK_DISABLED", "true")], None),
        (&[(endpoint, &*closed), ("OTEL_TRACES_EXPORTER", "none")], None),
        (&[("OTEL_SERVICE_NAME", "x")], None),
    ] {
        let ran = check(env).expect(1);
        assert_eq!(ran.json()["verdict"], plain.json()["verdict"]);
        let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("traces")).collect();
        assert_eq!(lines.len(), usize::from(said.is_some()), "{env:?}: {ran:?}");
        assert!(said.is_none_or(|said| lines[0].contains(said)), "{env:?}: {lines:?}");
    }
}

/// A worker's job, here in the process of whoever submits.
#[test]
fn a_job_is_a_trace_of_its_own() {
    let collector = collector();
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    repo.write("x.py", "x = 2\n");
    repo.commit("a change");
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.url)];
    host_with(repo.path(), &["submit", "--range", "HEAD~1..HEAD", "--format", "json"], b"", &env).expect(0);
    let all = arrived(&collector);
    let [root] = named(&all, "host submit")[..] else { panic!("{all:?}") };
    let [job] = named(&all, "job")[..] else { panic!("{all:?}") };
    assert!(job.parent.is_none() && job.trace != root.trace, "{job:?}");
    let guards = named(&all, "guard");
    assert!(!guards.is_empty() && guards.iter().all(|guard| guard.trace == job.trace), "{all:?}");
}
