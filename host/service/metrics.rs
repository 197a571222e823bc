//! Numbers for Prometheus. Every label has a closed set of values: none is taken from a request.

use guardhost_core::change::AttemptOutcome;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::fmt::Write;
use std::time::Duration;

use crate::endpoint::Endpoint;
use crate::storage::retention::Kind;

/// Seconds.
const BUCKETS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    endpoint: MetricName,
    method: MetricName,
    status: MetricName,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EndpointLabel {
    endpoint: MetricName,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: MetricName,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TableLabel {
    table: MetricName,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: MetricName,
}

/// A name of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MetricName(&'static str);

impl EncodeLabelValue for MetricName {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> std::fmt::Result {
        encoder.write_str(self.0)
    }
}

/// What became of a request for a claim.
#[derive(Debug, Clone, Copy)]
pub enum ClaimResult {
    Held,
    Taken,
    Stale,
}

/// Why a connection or a request was turned away.
#[derive(Debug, Clone, Copy)]
pub enum TurnedAway {
    Connections,
    Rate,
    Token,
    Streams,
    /// No encrypted connection came about.
    Handshake,
}

pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<EndpointLabel, Histogram, fn() -> Histogram>,
    observations: Family<OutcomeLabel, Counter>,
    duplicates: Counter,
    claims: Family<ResultLabel, Counter>,
    events: Counter,
    removed: Family<TableLabel, Counter>,
    turned_away: Family<ResultLabel, Counter>,
    pub connections: Gauge,
    pub streams: Gauge,
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("guardhost");
        let durations = || Histogram::new(BUCKETS);
        let metrics = Metrics {
            registry: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            observations: Family::default(),
            duplicates: Counter::default(),
            claims: Family::default(),
            events: Counter::default(),
            removed: Family::default(),
            turned_away: Family::default(),
            connections: Gauge::default(),
            streams: Gauge::default(),
        };
        registry.register("http_requests", "Requests, by endpoint and class of status", metrics.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "From the request's head to the answer's",
            Unit::Seconds,
            metrics.durations.clone(),
        );
        registry.register("observations", "Observations that were stored, by outcome", metrics.observations.clone());
        registry.register("duplicate_observations", "Observations that were stored before", metrics.duplicates.clone());
        registry.register("claims", "Requests for claims, by what came of them", metrics.claims.clone());
        registry.register("events", "Events of runs that were stored", metrics.events.clone());
        registry.register("removed_rows", "Rows that were old enough to go, by table", metrics.removed.clone());
        registry.register("turned_away", "Connections and requests over a limit", metrics.turned_away.clone());
        registry.register("connections", "Open connections", metrics.connections.clone());
        registry.register("event_streams", "Clients that listen to events", metrics.streams.clone());
        Metrics { registry, ..metrics }
    }

    pub fn request(&self, endpoint: Option<Endpoint>, method: &axum::http::Method, status: u16, took: Duration) {
        let endpoint = MetricName(endpoint.map_or("none", Endpoint::path));
        let method = MetricName(match method.as_str() {
            "GET" => "GET",
            "POST" => "POST",
            "PUT" => "PUT",
            "DELETE" => "DELETE",
            _ => "other",
        });
        let status = MetricName(match status / 100 {
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            _ => "5xx",
        });
        self.requests.get_or_create(&RequestLabels { endpoint, method, status }).inc();
        self.durations.get_or_create(&EndpointLabel { endpoint }).observe(took.as_secs_f64());
    }

    pub fn observed(&self, outcome: AttemptOutcome, duplicate: bool) {
        match duplicate {
            true => self.duplicates.inc(),
            false => self.observations.get_or_create(&OutcomeLabel { outcome: MetricName(outcome.as_str()) }).inc(),
        };
    }

    pub fn claimed(&self, result: ClaimResult) {
        let result = MetricName(match result {
            ClaimResult::Held => "held",
            ClaimResult::Taken => "taken",
            ClaimResult::Stale => "stale",
        });
        self.claims.get_or_create(&ResultLabel { result }).inc();
    }

    pub fn appended(&self, events: u64) {
        self.events.inc_by(events);
    }

    pub fn removed(&self, kind: Kind, rows: u64) {
        self.removed.get_or_create(&TableLabel { table: MetricName(kind.table()) }).inc_by(rows);
    }

    pub fn turned_away(&self, why: TurnedAway) {
        let result = MetricName(match why {
            TurnedAway::Connections => "connections",
            TurnedAway::Rate => "rate",
            TurnedAway::Token => "token",
            TurnedAway::Streams => "streams",
            TurnedAway::Handshake => "handshake",
        });
        self.turned_away.get_or_create(&ResultLabel { result }).inc();
    }

    /// The text that every version of Prometheus reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        plain(&text)
    }
}

/// OpenMetrics names a counter without `_total` where it describes it; the older format, which the linter of Prometheus reads, names it as
/// its samples are, and knows neither units nor an end.
fn plain(text: &str) -> String {
    let described = |line: &str, what: &str| {
        let (name, rest) = line.strip_prefix(what)?.split_once(' ')?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let types = text.lines().filter_map(|line| described(line, "# TYPE "));
    let counters: Vec<String> = types.filter(|(_, kind)| kind == "counter").map(|(name, _)| name).collect();
    let mut plain = String::new();
    for line in text.lines().filter(|line| !line.starts_with("# UNIT ") && *line != "# EOF") {
        let renamed = ["# HELP ", "# TYPE "].into_iter().find_map(|what| {
            let (name, rest) = described(line, what)?;
            counters.contains(&name).then(|| format!("{what}{name}_total {rest}"))
        });
        plain.push_str(&renamed.unwrap_or_else(|| line.to_owned()));
        plain.push('\n');
    }
    plain
}
