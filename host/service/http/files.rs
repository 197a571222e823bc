//! Endpoints about repositories of this machine. Only clients of this machine may ask, and only below the server's roots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path as UrlPath, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use guardhost_observer::wire::{
    BlameLine, Churn, Diff, ExportedName, FileFingerprint, ImportedName, Observation, ProblemCode, RepositoryContext,
    Symbol,
};
use serde::Deserialize;
use serde_json::json;

use super::connections::Peer;
use super::contract::CONTRACT;
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

type FilesParameters = Result<Query<FilesQuery>, QueryRejection>;

/// Asks about a folder, if the client may; on a thread for it, a few at once.
pub async fn ask<T: Send + 'static>(
    shared: &Arc<ServerState>,
    peer: Peer,
    target: Option<String>,
    question: impl FnOnce(&dyn AnswerService, &Path) -> Answer<T> + Send + 'static,
) -> Answered<T> {
    if let Some(flag) = target.as_ref().filter(|target| target.starts_with('-')) {
        return Err(Failure::bad(format!("`target` is a folder, not {flag}")));
    }
    let target = shared.roots.allow(target.as_deref());
    ask_of(shared, peer, target, question).await
}

/// Refuses a path that git has no form for.
fn plain_path(path: &str) -> Result<(), Failure> {
    match path.contains('\0') {
        true => Err(Failure::bad("a path has no NUL in it".to_owned())),
        false => Ok(()),
    }
}

/// Asks about a file: below `target`, or by its absolute path below any root.
async fn ask_file<T: Send + 'static>(
    shared: &Arc<ServerState>,
    peer: Peer,
    target: Option<String>,
    path: String,
    question: impl FnOnce(&dyn AnswerService, &Path, &str) -> Answer<T> + Send + 'static,
) -> Answered<T> {
    plain_path(&path)?;
    match target.is_none().then(|| shared.roots.file(&path)).flatten() {
        Some((root, inside)) => {
            ask_of(shared, peer, Some(root), move |answers, target| question(answers, target, &inside)).await
        }
        None if target.is_none() && path.starts_with('/') => Err(no_target()),
        None => ask(shared, peer, target, move |answers, target| question(answers, target, &path)).await,
    }
}

async fn ask_of<T: Send + 'static>(
    shared: &Arc<ServerState>,
    Peer(peer): Peer,
    target: Option<PathBuf>,
    question: impl FnOnce(&dyn AnswerService, &Path) -> Answer<T> + Send + 'static,
) -> Answered<T> {
    let answers = shared.answers.clone().filter(|_| peer.ip().to_canonical().is_loopback() && !shared.tokens);
    let (Some(answers), Some(target)) = (answers, target) else {
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
    parameters: FilesParameters,
) -> Answered<RepositoryContext> {
    ask(&shared, peer, parameters?.0.target, |answers, target| answers.context(target)).await
}

pub async fn blame(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    UrlPath(path): UrlPath<String>,
    parameters: FilesParameters,
) -> Answered<Vec<BlameLine>> {
    plain_path(&path)?;
    let Json(mut lines) =
        ask(&shared, peer, parameters?.0.target, move |answers, target| answers.blame(target, &path)).await?;
    let mut known: BTreeMap<String, Option<(String, String)>> = BTreeMap::new();
    for line in &mut lines {
        if !known.contains_key(&line.commit) {
            let observation = shared.storage.by_commit(&line.commit, None).await?;
            let by = observation.map(|Observation { observed, .. }| (observed.agent, observed.run_id));
            known.insert(line.commit.clone(), by);
        }
        (line.agent, line.run_id) = known.get(&line.commit).cloned().flatten().unzip();
    }
    Ok(Json(lines))
}

pub async fn churn(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    UrlPath(path): UrlPath<String>,
    parameters: FilesParameters,
) -> Answered<Churn> {
    plain_path(&path)?;
    let Query(parameters) = parameters?;
    let since = since(&shared, parameters.since.as_deref()).await?.map(|since| since.text());
    ask(&shared, peer, parameters.target, move |answers, target| answers.churn(target, &path, since.as_deref())).await
}

pub async fn diff(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: FilesParameters,
) -> Answered<Diff> {
    let Query(parameters) = parameters?;
    let (base, branch) = (needed("base", parameters.base)?, needed("branch", parameters.branch)?);
    ask(&shared, peer, parameters.target, move |answers, target| answers.diff(target, &base, &branch)).await
}

pub async fn fingerprint(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: FilesParameters,
) -> Answered<FileFingerprint> {
    let Query(parameters) = parameters?;
    let path = needed("path", parameters.path)?;
    ask_file(&shared, peer, parameters.target, path, |answers, target, path| answers.file_fingerprint(target, path))
        .await
}

pub async fn imports(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: FilesParameters,
) -> Answered<Vec<ImportedName>> {
    let Query(parameters) = parameters?;
    let path = needed("path", parameters.path)?;
    ask_file(&shared, peer, parameters.target, path, |answers, target, path| answers.imports(target, path)).await
}

pub async fn exports(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: FilesParameters,
) -> Result<(HeaderMap, Json<Vec<ExportedName>>), Failure> {
    let Query(parameters) = parameters?;
    let path = needed("path", parameters.path)?;
    let Json(found) =
        ask_file(&shared, peer, parameters.target, path, |answers, target, path| answers.exports(target, path)).await?;
    let mut headers = HeaderMap::new();
    if found.is_open {
        headers.insert("x-is-open", HeaderValue::from_static("true"));
    }
    Ok((headers, Json(found.exports)))
}

pub async fn symbol(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: FilesParameters,
) -> Answered<Symbol> {
    let Query(parameters) = parameters?;
    let (path, name) = (needed("path", parameters.path)?, needed("name", parameters.name)?);
    ask_file(&shared, peer, parameters.target, path, move |answers, target, path| answers.symbol(target, path, &name))
        .await
}

#[derive(Deserialize)]
pub struct ContractQuery {
    target: Option<String>,
    path: Option<String>,
}

/// Without a file what the server can be parameters; with one what the file promises to others.
pub async fn contract(
    State(shared): State<Arc<ServerState>>,
    Extension(peer): Extension<Peer>,
    parameters: Result<Query<ContractQuery>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(parameters) = parameters?;
    let Some(path) = parameters.path else {
        return Ok(([(CONTENT_TYPE, "application/json")], CONTRACT).into_response());
    };
    let shown = path.clone();
    let Json(found) =
        ask_file(&shared, peer, parameters.target, path, |answers, target, path| answers.exports(target, path)).await?;
    let public = json!({ "path": shown, "public_api": found.exports, "test_coverage": 0.0, "coupling_score": 0 });
    Ok(Json(public).into_response())
}
