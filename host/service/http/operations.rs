//! `/healthz`, `/readyz`, `/metrics`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
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
