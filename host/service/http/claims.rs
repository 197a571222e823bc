//! `/claim`: who works on what.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use guardhost_observer::wire::{ClaimRequest, ClaimState, HeldClaim, ProblemCode, Released};
use serde::Deserialize;

use super::problem::{Answered, Failure};
use super::queries::{name, optional_name};
use super::shared::ServerState;
use crate::metrics::ClaimResult;
use crate::storage::{ClaimAnswer, ClaimRelease, ReleaseAnswer};
use crate::tokens::Scope;

pub async fn claim(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    body: Result<Json<ClaimRequest>, JsonRejection>,
) -> Answered<HeldClaim> {
    let Json(mut request) = body?;
    request.repo = scope.repo_of_body(request.repo)?;
    optional_name("repo", &request.repo)?;
    name("key", &request.key)?;
    name("holder", &request.holder)?;
    let now = shared.storage.now().await?;
    match shared.storage.claim(request, now).await? {
        ClaimAnswer::Held(claim) => {
            shared.metrics.claimed(ClaimResult::Held);
            Ok(Json(claim))
        }
        ClaimAnswer::Taken(present) => {
            shared.metrics.claimed(ClaimResult::Taken);
            let why = format!("{} holds it until {}", present.holder, present.until);
            Err(Failure::new(ProblemCode::Claimed, why).held(Some(present)))
        }
        ClaimAnswer::Stale { present } => {
            shared.metrics.claimed(ClaimResult::Stale);
            let why = match &present {
                Some(present) => format!("the fence is stale: {} holds it with {}", present.holder, present.fence),
                None => "the claim is over: claim anew, without a fence".to_owned(),
            };
            Err(Failure::new(ProblemCode::StaleFence, why).held(present))
        }
    }
}

#[derive(Deserialize)]
pub struct Key {
    repo: Option<String>,
    #[serde(alias = "path")]
    key: Option<String>,
    #[serde(alias = "agent")]
    holder: Option<String>,
    fence: Option<u64>,
}

/// With a key its state; without one the list of what is held in the repository.
pub async fn state(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    query: Result<Query<Key>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(asked) = query?;
    let repo = scope.repo(asked.repo)?.unwrap_or_default();
    let now = shared.storage.now().await?;
    let held = shared.storage.claims(&repo, asked.key.as_deref(), now).await?;
    Ok(match asked.key {
        Some(_) => {
            let claim = held.into_iter().next();
            Json(ClaimState { claimed: claim.is_some(), claim }).into_response()
        }
        None => Json(held).into_response(),
    })
}

pub async fn release(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    query: Result<Query<Key>, QueryRejection>,
) -> Answered<Released> {
    let Query(asked) = query?;
    let repo = scope.repo(asked.repo)?.unwrap_or_default();
    let (Some(key), Some(holder), Some(fence)) = (asked.key, asked.holder, asked.fence) else {
        return Err(Failure::bad("`key`, `holder` and `fence` are needed: only the holder ends a claim"));
    };
    let now = shared.storage.now().await?;
    match shared.storage.release(ClaimRelease { repo, key, holder, fence }, now).await? {
        ReleaseAnswer::Released => Ok(Json(Released { released: true })),
        ReleaseAnswer::Free => Ok(Json(Released { released: false })),
        ReleaseAnswer::Stale(present) => {
            let why = format!("{} holds it with the fence {}", present.holder, present.fence);
            Err(Failure::new(ProblemCode::StaleFence, why).held(Some(present)))
        }
    }
}
