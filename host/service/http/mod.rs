//! The endpoints. [`Endpoint`] lists them; `contract.json` describes them, and a test holds the two to each other.

mod auth;
mod cached_bundle;
mod claim_locks;
mod claims;
mod connections;
mod contract;
mod events;
mod facts;
mod files;
mod limits;
mod measure;
mod observations;
mod operations;
mod pages;
mod problem;
mod queries;
mod run_list;
mod shared;
mod tls;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{MethodRouter, get, post};

pub use crate::endpoint::Endpoint;
pub use connections::{Peer, accept};
pub use limits::ServerLimits;
pub use pages::{FleetState, pages};
pub use shared::ServerState;
pub use tls::Tls;

/// Bytes of a request's body; observations have less.
const BODY: usize = 4 << 20;

/// The router, with limits, tokens and metrics around every endpoint. `more` are pages of the application.
pub fn router(shared: &Arc<ServerState>, more: Option<Router>) -> Router {
    let mut router = Router::new();
    for endpoint in Endpoint::ALL {
        router = router.route(endpoint.path(), handlers(endpoint));
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
        .layer(middleware::from_fn_with_state(Arc::clone(shared), measure::measure))
        .layer(DefaultBodyLimit::max(BODY))
}

fn handlers(endpoint: Endpoint) -> MethodRouter<Arc<ServerState>> {
    match endpoint {
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
        Endpoint::Contract => get(files::contract),
        Endpoint::Claim => get(claims::state).post(claims::claim).delete(claims::release),
        Endpoint::Events => get(events::listen).post(events::append),
        Endpoint::Healthz => get(operations::healthz),
        Endpoint::Readyz => get(operations::readyz),
        Endpoint::Metrics => get(operations::metrics),
        Endpoint::RepoTestMap
        | Endpoint::RepoFailingTests
        | Endpoint::FileFrozenRegions
        | Endpoint::FileLastSafe
        | Endpoint::RunTestsDelta
        | Endpoint::Scorecard => get(operations::not_implemented),
    }
}
