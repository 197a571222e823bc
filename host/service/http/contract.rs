//! `/contract`: what the server can be asked, as OpenAPI.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

pub const CONTRACT: &str = include_str!("contract.json");

pub async fn contract() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], CONTRACT)
}
