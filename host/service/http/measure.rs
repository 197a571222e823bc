//! The rate, the time limit and the metrics of every request.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use guardhost_observer::wire::ProblemCode;
use guardhost_telemetry::{Span, SpanKind, Traces};

use super::auth;
use super::connections::Peer;
use super::problem::Failure;
use super::shared::ServerState;
use crate::metrics::TurnedAway;

/// Around every request.
pub async fn measure(State(shared): State<Arc<ServerState>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let span = RequestSpan::begin(&shared, &request);
    let (endpoint, method) = (auth::endpoint(&request), request.method().clone());
    let peer = request.extensions().get::<Peer>().copied();
    let far = peer.map(|peer| peer.0.ip().to_canonical()).filter(|ip| !ip.is_loopback());
    let response = if far.is_some_and(|ip| !shared.rates.take(ip, &shared.limits, begun)) {
        shared.metrics.turned_away(TurnedAway::Rate);
        Failure::new(ProblemCode::TooMany, "too many requests: wait a second").into_response()
    } else {
        match tokio::time::timeout(shared.limits.answer, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Failure::new(ProblemCode::Unavailable, "the answer took too long").into_response(),
        }
    };
    let status = response.status().as_u16();
    shared.metrics.request(endpoint, &method, status, begun.elapsed());
    if let Some(RequestSpan { traces, span }) = span {
        let failed = (status >= 500).then(|| status.to_string());
        traces.end(Span { failed, ..span.with("http.response.status_code", u64::from(status)) });
    }
    response
}

/// The span of a request, where somebody asked for spans.
struct RequestSpan {
    traces: Traces,
    span: Span,
}

impl RequestSpan {
    /// It has the path as the server has it, never what stands in its place: names of repositories are nobody else's business.
    fn begin(shared: &ServerState, request: &Request) -> Option<Self> {
        let traces = shared.traces.clone()?;
        let around = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
        let around = traces.parent_from_caller(around)?;
        let method = match *request.method() {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            Method::HEAD => "HEAD",
            _ => "_OTHER",
        };
        let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
        let name = path.as_ref().map_or_else(|| method.to_owned(), |path| format!("{method} {path}"));
        let span = Span::begin(name, SpanKind::Server, around, traces.now()).with("http.request.method", method);
        let span = match path {
            Some(path) => span.with("http.route", path.as_str()),
            None => span,
        };
        Some(RequestSpan { traces, span })
    }
}
