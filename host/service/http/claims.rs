//! `/claim`: who works on what.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use guardhost_observer::wire::{ClaimRequest, ProblemCode, Released};
use serde::Deserialize;
use serde_json::json;

use super::claim_locks::{self, ClaimView};
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
) -> Answered<ClaimView> {
    let Json(mut request) = body?;
    request.repo = scope.repo_of_body(request.repo)?;
    optional_name("repo", &request.repo)?;
    name("key", &request.key)?;
    name("holder", &request.holder)?;
    let now = shared.storage.now().await?;
    match shared.storage.claim(request, now).await? {
        ClaimAnswer::Held(claim) => {
            shared.metrics.claimed(ClaimResult::Held);
            Ok(Json(ClaimView::from(claim)))
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
                None => "the claim has ended: claim again, without a fence".to_owned(),
            };
            Err(Failure::new(ProblemCode::StaleFence, why).held(present))
        }
    }
}

#[derive(Deserialize)]
pub struct Key {
    repo: Option<String>,
    key: Option<String>,
    /// As `key`; the state is then a list.
    path: Option<String>,
    #[serde(alias = "agent")]
    holder: Option<String>,
    fence: Option<u64>,
    /// Names repository, key, holder and fence at once.
    lock_id: Option<String>,
}

/// With a key its state; with a path, or without one, the list of what is held in the repository.
pub async fn state(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    query: Result<Query<Key>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(asked) = query?;
    let repo = scope.repo(asked.repo)?.unwrap_or_default();
    let now = shared.storage.now().await?;
    let key = asked.key.as_ref().or(asked.path.as_ref());
    let held = shared.storage.claims(&repo, key.map(String::as_str), now).await?;
    let mut held = held.into_iter().map(ClaimView::from);
    Ok(match asked.key {
        Some(_) => {
            let claim = held.next();
            Json(json!({ "claimed": claim.is_some(), "claim": claim })).into_response()
        }
        None => Json(held.collect::<Vec<_>>()).into_response(),
    })
}

pub async fn release(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    query: Result<Query<Key>, QueryRejection>,
) -> Answered<Released> {
    let Query(asked) = query?;
    let now = shared.storage.now().await?;
    if let Some(lock) = asked.lock_id {
        let locked = claim_locks::read(&lock).ok_or_else(|| Failure::bad("`lock_id` is none of this server"))?;
        let asked = ClaimRelease { repo: scope.repo_of_body(locked.repo)?, ..locked };
        // Whether the lock is there or not, it is not held by this name afterwards: a repeated request is answered alike.
        shared.storage.release(asked, now).await?;
        return Ok(Json(Released { released: true }));
    }
    let repo = scope.repo(asked.repo)?.unwrap_or_default();
    let (Some(key), Some(holder)) = (asked.key.or(asked.path), asked.holder) else {
        return Err(Failure::bad(
            "`lock_id` is needed, or `path` and `agent`, or `key`, `holder` and `fence`: only the holder ends a claim",
        ));
    };
    let fence = match asked.fence {
        Some(fence) => fence,
        None => shared.storage.claims(&repo, Some(&key), now).await?.first().map_or(0, |held| held.fence),
    };
    match shared.storage.release(ClaimRelease { repo, key, holder, fence }, now).await? {
        ReleaseAnswer::Released => Ok(Json(Released { released: true })),
        ReleaseAnswer::Free => Ok(Json(Released { released: false })),
        ReleaseAnswer::Stale(present) => {
            let why = format!("{} holds it with the fence {}", present.holder, present.fence);
            Err(Failure::new(ProblemCode::StaleFence, why).held(Some(present)))
        }
    }
}
