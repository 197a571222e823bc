//! Who may ask. On a loopback address everyone on this machine may, without a token; elsewhere a token says for which repositories.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, HOST};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use guardhost_observer::wire::ProblemCode;

use super::problem::Failure;
use super::shared::ServerState;
use crate::endpoint::Endpoint;
use crate::metrics::TurnedAway;
use crate::tokens::{Scope, hash};

pub fn endpoint(request: &Request) -> Option<Endpoint> {
    let path = request.extensions().get::<MatchedPath>()?;
    Endpoint::ALL.into_iter().find(|endpoint| endpoint.path() == path.as_str())
}

/// Puts a [`Scope`] into the request, or turns it away.
pub async fn authorize(State(shared): State<Arc<ServerState>>, mut request: Request, next: Next) -> Response {
    let is_open = endpoint(&request).is_some_and(Endpoint::is_open);
    let scope = match shared.tokens {
        true => token_scope(&shared, bearer(&request)).await,
        false => local_scope(&request),
    };
    match scope {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(_) if is_open => next.run(request).await,
        Err(failure) => {
            shared.metrics.turned_away(TurnedAway::Token);
            failure.into_response()
        }
    }
}

/// The token of a request.
fn bearer(request: &Request) -> Option<String> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    header.strip_prefix("Bearer ").map(|token| token.trim().to_owned())
}

async fn token_scope(shared: &ServerState, token: Option<String>) -> Result<Scope, Failure> {
    let token = token.ok_or_else(|| Failure::new(ProblemCode::Unauthorized, "a bearer token is needed"))?;
    let row = shared.storage.token(&hash(&token)).await?;
    row.as_ref().map(Scope::from).ok_or_else(|| Failure::new(ProblemCode::Unauthorized, "no such token"))
}

fn local_scope(request: &Request) -> Result<Scope, Failure> {
    match names_this_machine(request) {
        true => Ok(Scope::All),
        false => Err(Failure::new(
            ProblemCode::Forbidden,
            "this server answers requests to this machine alone: ask http://127.0.0.1",
        )),
    }
}

/// A page of the web can make a browser send requests to this machine under a name of its own; their Host gives them away.
fn names_this_machine(request: &Request) -> bool {
    let Some(host) = request.headers().get(HOST).and_then(|value| value.to_str().ok()) else { return true };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_matches(['[', ']']);
    name == "localhost" || name.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

impl Scope {
    /// The repository that a request is about: the one that it names, or the only one of its token.
    pub(super) fn repo(&self, named: Option<String>) -> Result<Option<String>, Failure> {
        match (self, named) {
            (Scope::All, named) => Ok(named),
            (scope, Some(named)) if scope.allows(&named) => Ok(Some(named)),
            (Scope::Repositories(ids), None) if ids.len() == 1 => Ok(ids.first().cloned()),
            (Scope::Repositories(_), None) => {
                Err(Failure::bad("the token is for several repositories: name one, repo=ID"))
            }
            (Scope::Repositories(_), Some(_)) => {
                Err(Failure::new(ProblemCode::Forbidden, "the token is not for this repository"))
            }
        }
    }

    /// The same for a body, in which an empty id names none.
    pub(super) fn repo_of_body(&self, named: String) -> Result<String, Failure> {
        Ok(self.repo(Some(named).filter(|named| !named.is_empty()))?.unwrap_or_default())
    }
}
