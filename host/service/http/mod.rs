//! The endpoints. [`Endpoint`] lists them; `contract.json` describes them, and a test holds the two to each other.

mod auth;
mod claims;
mod connections;
mod contract;
mod events;
mod facts;
mod files;
mod limits;
mod observations;
mod operations;
mod pages;
mod problem;
mod queries;
mod tls;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{MethodRouter, get, post};
use tokio::sync::{Semaphore, watch};

use crate::answers::{Answers, Roots};
use crate::metrics::Metrics;
use crate::storage::Storage;

pub use connections::{Peer, accept};
pub use limits::Limits;
pub use pages::{FleetState, pages};
pub use tls::Tls;

/// Bytes of a request's body; observations have less.
const BODY: usize = 4 << 20;

/// What every request may use.
pub struct Shared {
    pub storage: Arc<dyn Storage>,
    /// None: no repository of this machine is looked at.
    pub answers: Option<Arc<dyn Answers>>,
    pub roots: Roots,
    /// Every request needs a token.
    pub tokens: bool,
    pub limits: Limits,
    pub metrics: Metrics,
    pub rates: limits::Rates,
    /// Changes when events were added; its value does not count.
    pub appended: watch::Sender<u64>,
    /// Becomes true when the server is to end.
    pub ends: watch::Receiver<bool>,
    /// Places for questions about repositories.
    pub reading: Semaphore,
    pub streams: Arc<Semaphore>,
}

/// Every path of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    RepoFingerprint,
    RepoAgentLog,
    Observation,
    RepoContext,
    RepoBlame,
    RepoChurn,
    Diff,
    FileFingerprint,
    FileImports,
    FileExports,
    Symbol,
    AgentIdentity,
    Contract,
    Claim,
    Events,
    Healthz,
    Readyz,
    Metrics,
}

impl Endpoint {
    pub const ALL: [Endpoint; 18] = [
        Endpoint::RepoFingerprint,
        Endpoint::RepoAgentLog,
        Endpoint::Observation,
        Endpoint::RepoContext,
        Endpoint::RepoBlame,
        Endpoint::RepoChurn,
        Endpoint::Diff,
        Endpoint::FileFingerprint,
        Endpoint::FileImports,
        Endpoint::FileExports,
        Endpoint::Symbol,
        Endpoint::AgentIdentity,
        Endpoint::Contract,
        Endpoint::Claim,
        Endpoint::Events,
        Endpoint::Healthz,
        Endpoint::Readyz,
        Endpoint::Metrics,
    ];

    /// As the router spells it; the last part of some takes the rest of the path.
    pub fn path(self) -> &'static str {
        match self {
            Endpoint::RepoFingerprint => "/repo/fingerprint",
            Endpoint::RepoAgentLog => "/repo/agent-log",
            Endpoint::Observation => "/observation",
            Endpoint::RepoContext => "/repo/context",
            Endpoint::RepoBlame => "/repo/blame/{*path}",
            Endpoint::RepoChurn => "/repo/churn/{*path}",
            Endpoint::Diff => "/diff",
            Endpoint::FileFingerprint => "/file/fingerprint",
            Endpoint::FileImports => "/file/imports",
            Endpoint::FileExports => "/file/exports",
            Endpoint::Symbol => "/symbol",
            Endpoint::AgentIdentity => "/agent/identity/{commit}",
            Endpoint::Contract => "/contract",
            Endpoint::Claim => "/claim",
            Endpoint::Events => "/events",
            Endpoint::Healthz => "/healthz",
            Endpoint::Readyz => "/readyz",
            Endpoint::Metrics => "/metrics",
        }
    }

    /// The methods that it answers.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            Endpoint::RepoFingerprint => &["GET", "PUT"],
            Endpoint::Observation => &["POST"],
            Endpoint::Claim => &["GET", "POST", "DELETE"],
            Endpoint::Events => &["GET", "POST"],
            _ => &["GET"],
        }
    }

    fn handlers(self) -> MethodRouter<Arc<Shared>> {
        match self {
            Endpoint::RepoFingerprint => get(facts::fingerprint).put(facts::put_fingerprint),
            Endpoint::RepoAgentLog => get(observations::agent_log),
            Endpoint::Observation => post(observations::observe),
            Endpoint::RepoContext => get(files::context),
            Endpoint::RepoBlame => get(files::blame),
            Endpoint::RepoChurn => get(files::churn),
            Endpoint::Diff => get(files::diff),
            Endpoint::FileFingerprint => get(files::fingerprint),
            Endpoint::FileImports => get(files::imports),
            Endpoint::FileExports => get(files::exports),
            Endpoint::Symbol => get(files::symbol),
            Endpoint::AgentIdentity => get(observations::identity),
            Endpoint::Contract => get(contract::contract),
            Endpoint::Claim => get(claims::state).post(claims::claim).delete(claims::release),
            Endpoint::Events => get(events::listen).post(events::append),
            Endpoint::Healthz => get(operations::healthz),
            Endpoint::Readyz => get(operations::readyz),
            Endpoint::Metrics => get(operations::metrics),
        }
    }

    /// Answered without a token: whether the server lives says nothing of any repository.
    fn is_open(self) -> bool {
        matches!(self, Endpoint::Healthz | Endpoint::Readyz)
    }
}

/// The router, with limits, tokens and metrics around every endpoint. `more` are pages of the application.
pub fn router(shared: &Arc<Shared>, more: Option<Router>) -> Router {
    let mut router = Router::new();
    for endpoint in Endpoint::ALL {
        router = router.route(endpoint.path(), endpoint.handlers());
    }
    let router = router
        .fallback(problem::no_such_endpoint)
        .method_not_allowed_fallback(problem::no_such_method)
        .with_state(Arc::clone(shared));
    // Merged, not put behind one another: what is around the endpoints knows them by the path that was matched.
    let router = match more {
        Some(more) => router.merge(more),
        None => router,
    };
    router
        .layer(middleware::from_fn_with_state(Arc::clone(shared), auth::authorize))
        .layer(middleware::from_fn_with_state(Arc::clone(shared), limits::measure))
        .layer(DefaultBodyLimit::max(BODY))
}
