//! Endpoints about repositories of this machine. Only clients of this machine may ask, and only below the server's roots.

use std::path::Path;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path as UrlPath, Query, State};
use axum::{Extension, Json};
use guardhost_observer::wire::{
    Blame, Churn, Diff, FileExports, FileFingerprint, FileImports, ProblemCode, RepositoryContext, Symbol,
};
use serde::Deserialize;

use super::connections::Peer;
use super::problem::{Answered, Failure};
use super::queries::{no_target, since};
use super::shared::ServerState;
use crate::answers::{Answer, AnswerService};

#[derive(Deserialize)]
pub struct FilesQuery {
    target: Option<String>,
    path: Option<String>,
    name: Option<String>,
    since: Option<String>,
    base: Option<String>,
    branch: Option<String>,
}

type Asked = Result<Query<FilesQuery>, QueryRejection>;

/// Asks about a folder, if the client may; on a thread for it, a few at once.
pub async fn ask<T: Send + 'static>(
    shared: &Arc<ServerState>,
    Peer(peer): Peer,
    target: Option<String>,
    question: impl FnOnce(&dyn AnswerService, &Path) -> Answer<T> + Send + 'static,
) -> Answered<T> {
    let answers = shared.answers.clone().filter(|_| peer.ip().to_canonical().is_loopback() && !shared.tokens);
    let (Some(answers), Some(target)) = (answers, shared.roots.allow(target.as_deref())) else {
        return Err(no_target());
    };
    let closed = |_| Failure::new(ProblemCode::Unavailable, "the server ends");
    let _place = shared.reading.acquire().await.map_err(closed)?;
    let answered = tokio::task::spawn_blocking(move || question(&*answers, &target)).await;
    let answered = answered.map_err(|error| Failure::new(ProblemCode::Internal, error.to_string()))?;
    Ok(Json(answered?))
}

fn needed(what: &str, value: Option<String>) -> Result<String, Failure> {
    value.filter(|value| !value.is_empty()).ok_or_else(|| Failure::bad(format!("`{what}` is needed")))
}

pub async fn context(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<RepositoryContext> {
    ask(&shared, peer, asked?.0.target, |answers, target| answers.context(target)).await
}

pub async fn blame(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    UrlPath(path): UrlPath<String>,
    asked: Asked,
) -> Answered<Blame> {
    ask(&shared, peer, asked?.0.target, move |answers, target| answers.blame(target, &path)).await
}

pub async fn churn(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    UrlPath(path): UrlPath<String>,
    asked: Asked,
) -> Answered<Churn> {
    let Query(asked) = asked?;
    let since = since(&shared, asked.since.as_deref()).await?.map(|since| since.text());
    ask(&shared, peer, asked.target, move |answers, target| answers.churn(target, &path, since.as_deref())).await
}

pub async fn diff(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<Diff> {
    let Query(asked) = asked?;
    let (base, branch) = (needed("base", asked.base)?, needed("branch", asked.branch)?);
    ask(&shared, peer, asked.target, move |answers, target| answers.diff(target, &base, &branch)).await
}

pub async fn fingerprint(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<FileFingerprint> {
    let Query(asked) = asked?;
    let path = needed("path", asked.path)?;
    ask(&shared, peer, asked.target, move |answers, target| answers.file_fingerprint(target, &path)).await
}

pub async fn imports(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<FileImports> {
    let Query(asked) = asked?;
    let path = needed("path", asked.path)?;
    ask(&shared, peer, asked.target, move |answers, target| answers.imports(target, &path)).await
}

pub async fn exports(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<FileExports> {
    let Query(asked) = asked?;
    let path = needed("path", asked.path)?;
    ask(&shared, peer, asked.target, move |answers, target| answers.exports(target, &path)).await
}

pub async fn symbol(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    asked: Asked,
) -> Answered<Symbol> {
    let Query(asked) = asked?;
    let (path, name) = (needed("path", asked.path)?, needed("name", asked.name)?);
    ask(&shared, peer, asked.target, move |answers, target| answers.symbol(target, &path, &name)).await
}
