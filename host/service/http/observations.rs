//! `/observation`, `/repo/agent-log`, `/agent/identity`.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::{Extension, Json};
use guardhost_observer::wire::{AgentIdentity, NewObservation, Observation, Posted, ProblemCode};
use serde::Deserialize;

use super::problem::{Answered, Failure};
use super::queries::{limit, name, optional_name, since};
use super::shared::ServerState;
use crate::storage::{Cursor, LogQuery, Micros};
use crate::tokens::Scope;

/// Bytes of an observation.
const OBSERVATION: usize = 64 << 10;

pub async fn observe(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    headers: HeaderMap,
    body: Result<Json<NewObservation>, JsonRejection>,
) -> Answered<Posted> {
    let length = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if length.is_none_or(|length| length > OBSERVATION) {
        return Err(Failure::new(ProblemCode::TooLarge, "an observation has at most 64 KiB, and a Content-Length"));
    }
    let Json(mut new) = body?;
    new.repo = scope.repo_of_body(new.repo)?;
    optional_name("repo", &new.repo)?;
    name("run_id", &new.run_id)?;
    name("agent", &new.agent)?;
    new.commit_sha.as_deref().map_or(Ok(()), |commit| optional_name("commit_sha", commit))?;
    if new.confidence.is_some_and(|confidence| !(0.0..=1.0).contains(&confidence)) {
        return Err(Failure::bad("`confidence` is from 0 to 1"));
    }
    let outcome = new.outcome;
    let posted = shared.storage.observe(new).await?;
    shared.metrics.observed(outcome, posted.duplicate);
    Ok(Json(posted))
}

#[derive(Deserialize)]
pub struct LogParameters {
    repo: Option<String>,
    since: Option<String>,
    limit: Option<u32>,
    run_id: Option<String>,
    agent: Option<String>,
    /// Of the answer before: `x-next-cursor`.
    cursor: Option<String>,
}

/// An array, newest first. Where there are more, the header `x-next-cursor` leads on.
pub async fn agent_log(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    query: Result<Query<LogParameters>, QueryRejection>,
) -> Result<(HeaderMap, Json<Vec<Observation>>), Failure> {
    let Query(asked) = query?;
    let present = |text: Option<String>| text.filter(|text| !text.is_empty());
    let before = present(asked.cursor).map(|cursor| read_cursor(&cursor)).transpose()?;
    let query = LogQuery {
        repo: scope.repo(present(asked.repo))?,
        run_id: present(asked.run_id),
        agent: present(asked.agent),
        since: since(&shared, asked.since.as_deref()).await?,
        before,
        limit: limit(asked.limit, 100, 1_000),
    };
    let page = shared.storage.agent_log(query).await?;
    let mut headers = HeaderMap::new();
    if let Some(next) = page.next
        && let Ok(value) = format!("{}.{}", next.ts.0, next.seq).parse()
    {
        headers.insert("x-next-cursor", value);
    }
    Ok((headers, Json(page.rows)))
}

fn read_cursor(text: &str) -> Result<Cursor, Failure> {
    let parts = text.split_once('.').and_then(|(ts, seq)| Some((ts.parse().ok()?, seq.parse().ok()?)));
    let (ts, seq) = parts.ok_or_else(|| Failure::bad("`cursor` is none of this server"))?;
    Ok(Cursor { ts: Micros(ts), seq })
}

#[derive(Deserialize)]
pub struct IdentityParameters {
    repo: Option<String>,
}

pub async fn identity(
    State(shared): State<Arc<ServerState>>,
    Extension(scope): Extension<Scope>,
    Path(commit): Path<String>,
    query: Result<Query<IdentityParameters>, QueryRejection>,
) -> Answered<AgentIdentity> {
    let repo = scope.repo(query?.0.repo)?;
    let observation = shared.storage.by_commit(&commit, repo.as_deref()).await?;
    let unknown = || Failure::new(ProblemCode::NotFound, "no observation names this commit");
    let observation = observation.ok_or_else(unknown)?;
    let observed = observation.observed.clone();
    Ok(Json(AgentIdentity {
        commit,
        agent: observed.agent,
        run_id: observed.run_id,
        subtask_id: observed.subtask_id,
        model: observed.model,
        confidence: observed.confidence,
        ts: observation.ts.clone(),
        observation,
    }))
}
