//! The rate, the time limit and the metrics of every request.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use guardhost_observer::wire::ProblemCode;

use super::auth;
use super::connections::Peer;
use super::problem::Failure;
use super::shared::ServerState;
use crate::metrics::TurnedAway;

/// Around every request.
pub async fn measure(State(shared): State<Arc<ServerState>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
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
    shared.metrics.request(endpoint, &method, response.status().as_u16(), begun.elapsed());
    response
}
