//! `/repo/fingerprint`: facts of a tree, sent by a client or read from a repository of this machine.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::{Extension, Json};
use guardhost_observer::wire::{ProblemCode, TreeFacts};
use serde::Deserialize;
use serde_json::{Value, json};

use super::connections::Peer;
use super::files;
use super::problem::{Answered, Failure};
use super::queries::name;
use super::shared::ServerState;
use crate::tokens::Scope;

#[derive(Deserialize)]
pub struct FactsQuery {
    target: Option<String>,
    repo: Option<String>,
    tree: Option<String>,
}

pub async fn fingerprint(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    Extension(peer): Extension<Peer>,
    query: Result<Query<FactsQuery>, QueryRejection>,
) -> Answered<TreeFacts> {
    let Query(asked) = query?;
    if asked.target.is_some() {
        return files::ask(&shared, peer, asked.target, |answers, target| answers.fingerprint(target)).await;
    }
    let repo = scope.repo(asked.repo)?;
    let repo = repo.ok_or_else(|| Failure::bad("name a repository: repo=ID, or target=FOLDER on this machine"))?;
    let facts = shared.storage.fingerprint(&repo, asked.tree.as_deref()).await?;
    facts.map(Json).ok_or_else(|| Failure::new(ProblemCode::NotFound, "no facts of this tree were sent"))
}

pub async fn put_fingerprint(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    body: Result<Json<TreeFacts>, JsonRejection>,
) -> Answered<Value> {
    let Json(mut facts) = body?;
    facts.repo = scope.repo_of_body(facts.repo)?;
    name("repo", &facts.repo)?;
    name("tree", &facts.tree)?;
    shared.storage.put_fingerprint(facts).await?;
    Ok(Json(json!({ "kept": true })))
}
