//! Spans of requests.

use super::served::Served;
use crate::integration::telemetry::{arrived, collector};

#[test]
fn a_request_is_a_span_that_names_its_endpoint_alone() {
    let collector = collector();
    let folder = tempfile::tempdir().unwrap();
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.url)];
    let served = Served::start_with(&folder.path().join("data"), &[], &env);
    assert_eq!(served.get("/repo/agent-log?repo=a-secret-name&limit=1").0, 200);
    assert_eq!(served.get("/no-such-page").0, 404);
    let spans = loop {
        let spans = arrived(&collector);
        if spans.len() >= 2 {
            break spans;
        }
    };
    let names: Vec<&str> = spans.iter().map(|span| &*span.name).collect();
    assert_eq!(names, ["GET /repo/agent-log", "GET"]);
    assert_eq!(spans[0].attributes["http.response.status_code"], "200");
    assert_eq!(spans[0].attributes["http.route"], "/repo/agent-log");
    assert_ne!(spans[0].trace, spans[1].trace, "each is a trace of its own");
    assert!(collector.requests().iter().all(|request| !request.body.to_string().contains("a-secret-name")));
}
