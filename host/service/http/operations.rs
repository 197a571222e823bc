//! `/healthz`, `/readyz`, `/metrics`, and the endpoints that observers of this kind name and this one has no answer for.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::problem::Answered;
use super::shared::ServerState;

pub async fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// The storage reads and writes: a row was written for this answer.
pub async fn readyz(State(shared): State<Arc<ServerState>>) -> Answered<Value> {
    shared.storage.ready().await?;
    Ok(Json(json!({ "status": "ready" })))
}

pub async fn metrics(State(shared): State<Arc<ServerState>>) -> impl IntoResponse {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(CONTENT_TYPE, kind)], shared.metrics.text())
}

/// A client that probes for a capability gets a status of its own, not that of a wrong path.
pub async fn not_implemented() -> impl IntoResponse {
    let reason = "no results of tests are stored for single files and runs here";
    let body = json!({ "status": "not_implemented", "reason": reason, "error": reason, "code": "not-implemented" });
    (StatusCode::NOT_IMPLEMENTED, Json(body))
}
