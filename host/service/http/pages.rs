//! The pages of runs, below `/pages`, from the events that the server keeps. A browser sends no token: they are for a server on this
//! machine, or behind a proxy that adds one.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use guardhost_observer::wire::ProblemCode;
use guardhost_pages::{Bundle, Document, FleetReport, Limits, Mount, Page, document, fleet_document};
use jiff::Timestamp;

use super::problem::Failure;
use crate::storage::{EventQuery, Storage};
use crate::tokens::Scope;

const PREFIX: &str = "/pages";
/// Events that a page about all runs is made from: the newest.
const EVENTS: u64 = 20_000;
/// Events of one query.
const PART: u32 = 1_000;
/// A run of which nothing was heard for so long is no longer at work. Providers may think for minutes.
const QUIET: Duration = Duration::from_secs(30 * 60);

/// What a page about a fleet is made of. The server itself knows no queue.
#[async_trait]
pub trait FleetState: Send + Sync {
    /// What the queue says now, or why it says nothing, for people.
    async fn fleet(&self) -> Result<FleetReport, String>;
}

/// What the pages are made of.
#[derive(Clone)]
struct Sources {
    storage: Arc<dyn Storage>,
    fleet: Option<Arc<dyn FleetState>>,
}

/// To be given to the router as pages of the application.
pub fn pages(storage: Arc<dyn Storage>, fleet: Option<Arc<dyn FleetState>>) -> Router {
    Router::new()
        .route(PREFIX, get(answer))
        .route("/pages/", get(answer))
        .route("/pages/{*path}", get(answer))
        .with_state(Sources { storage, fleet })
}

async fn answer(
    State(Sources { storage, fleet }): State<Sources>,
    Extension(scope): Extension<Scope>,
    request: Request,
) -> Result<Response, Failure> {
    let missing = || Failure::new(ProblemCode::NotFound, "there is no such page");
    let path = request.uri().path().strip_prefix(PREFIX).unwrap_or_default();
    let page = Page::of_path(path).ok_or_else(missing)?;
    // All tabs of a browser share the stream, so a page about one run hears of the others too.
    let mount = Mount { prefix: PREFIX.to_owned(), events: Some("/events".to_owned()), has_fleet: fleet.is_some() };
    if page == Page::Fleet {
        let fleet = fleet.ok_or_else(missing)?;
        if scope != Scope::All {
            return Err(Failure::new(
                ProblemCode::Forbidden,
                "the token is for some repositories, and a fleet judges all",
            ));
        }
        let state = fleet.fleet().await;
        return Ok(answered(fleet_document(state.as_ref().map_err(String::as_str), &mount)));
    }
    let repo = scope.repo(None)?;
    let mut bundle = Bundle::default();
    collect(&mut bundle, &*storage, repo.clone(), page.run()).await?;
    // A run without a trace may have steps, which are runs.
    if let Page::Run(id) = &page
        && bundle.runs.get(id).is_some_and(|run| run.moments.is_empty())
    {
        collect(&mut bundle, &*storage, repo, None).await?;
    }
    bundle.assume_alive(Timestamp::now(), QUIET);
    let made = tokio::task::spawn_blocking(move || document(&bundle, &page, &mount, Limits::default())).await;
    let document = made.map_err(|error| Failure::new(ProblemCode::Internal, error.to_string()))?.ok_or_else(missing)?;
    Ok(answered(document))
}

fn answered(document: Document) -> Response {
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", document.policy.as_str()),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    (headers, document.html).into_response()
}

/// Adds the events of one run, or the newest of all.
async fn collect(
    bundle: &mut Bundle,
    storage: &dyn Storage,
    repo: Option<String>,
    run: Option<&str>,
) -> Result<(), Failure> {
    let (_, newest) = storage.event_bounds().await?;
    let after = if run.is_some() { 0 } else { newest.saturating_sub(EVENTS) };
    let mut query = EventQuery { repo, run: run.map(str::to_owned), after, limit: PART };
    loop {
        let events = storage.events(query.clone()).await?;
        let Some(last) = events.last().map(|event| event.seq) else { return Ok(()) };
        for stored in events {
            let mut line = stored.event.data;
            if let Some(line) = line.as_object_mut() {
                // What the server checked, whatever the line says.
                line.insert("run".to_owned(), stored.run.into());
                line.insert("seq".to_owned(), stored.event.n.into());
                line.insert("event".to_owned(), stored.event.name.into());
            }
            bundle.add_event(&line);
        }
        query.after = last;
    }
}
