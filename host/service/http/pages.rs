//! The pages of runs, below `/pages`, from the events that the server keeps. A browser sends no token: they are for a server on this
//! machine, or behind a proxy that adds one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use guardhost_core::syntax::SyntaxByPath;
use guardhost_observer::wire::ProblemCode;
use guardhost_pages::{
    Document, FleetReport, Mount, Page, PageSettings, RunList, board_document, document, fleet_document,
};
use jiff::Timestamp;
use tokio::sync::Mutex;

use super::cached_bundle::CachedBundle;
use super::problem::Failure;
use super::run_list;
use crate::storage::Storage;
use crate::storage::runs::QUIET;
use crate::tokens::Scope;

/// None: diffs have no colours for comments and strings.
type Syntaxes = Option<&'static dyn SyntaxByPath>;

const PREFIX: &str = "/pages";
/// So long after the last page its data is kept for the next one.
const KEPT: Duration = Duration::from_secs(60);

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
    syntax: Syntaxes,
    /// What the last page was made of. One page at a time is made: each costs a core, and twenty thousand events are 75 MB.
    kept: Arc<Mutex<Option<CachedBundle>>>,
}

/// To be given to the router as pages of the application.
pub fn pages(storage: Arc<dyn Storage>, fleet: Option<Arc<dyn FleetState>>, syntax: Syntaxes) -> Router {
    Router::new()
        // A browser that is given the address alone means the pages.
        .route("/", get(|| async { Redirect::temporary("/pages/") }))
        .route(PREFIX, get(answer))
        .route("/pages/", get(answer))
        .route("/pages/{*path}", get(answer))
        .with_state(Sources { storage, fleet, syntax, kept: Arc::default() })
}

async fn answer(
    State(Sources { storage, fleet, syntax, kept }): State<Sources>,
    Extension(scope): Extension<Scope>,
    request: Request,
) -> Result<Response, Failure> {
    let missing = || Failure::new(ProblemCode::NotFound, "there is no such page");
    if is_of_another_site(request.headers()) {
        return Err(Failure::new(ProblemCode::Forbidden, "a page of another site may not ask for this one"));
    }
    let path = request.uri().path().strip_prefix(PREFIX).unwrap_or_default();
    let page = Page::from_path(path).ok_or_else(missing)?;
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
    if page == Page::Board {
        let list = RunList::from_query(request.uri().query().unwrap_or_default());
        let (board, has) = run_list::board(&*storage, repo.as_deref(), list).await?;
        return Ok(answered(board_document(&board, &mount, has)));
    }
    let mut present = kept.lock().await;
    // A page of one run is made of its own events, however old they are.
    if let Some(id) = page.run() {
        let one = CachedBundle::one_run(&*storage, repo.clone(), id).await?;
        // A run without a trace may have steps, which are runs.
        if one.bundle.runs.get(id).is_some_and(|run| !run.moments.is_empty()) {
            return Ok(answered(made(one, page, mount, syntax).await?.0.ok_or_else(missing)?));
        }
    }
    let newest = match present.take() {
        Some(bundle) if bundle.serves(repo.as_deref()) => bundle.with_newer(&*storage).await?,
        Some(_) | None => CachedBundle::newest_runs(&*storage, repo).await?,
    };
    let (document, bundle) = made(newest, page, mount, syntax).await?;
    let used = bundle.used();
    *present = Some(bundle);
    drop(present);
    tokio::spawn(forget(kept, used));
    Ok(answered(document.ok_or_else(missing)?))
}

async fn made(
    mut of: CachedBundle,
    page: Page,
    mount: Mount,
    syntax: Syntaxes,
) -> Result<(Option<Document>, CachedBundle), Failure> {
    let made = tokio::task::spawn_blocking(move || {
        of.bundle.assume_alive(Timestamp::now(), QUIET);
        (document(&of.bundle, &page, &mount, PageSettings { syntax, ..PageSettings::default() }), of)
    });
    made.await.map_err(|error| Failure::new(ProblemCode::Internal, error.to_string()))
}

/// What nobody asked for in a while costs no memory.
async fn forget(kept: Arc<Mutex<Option<CachedBundle>>>, used: Instant) {
    tokio::time::sleep(KEPT).await;
    let mut present = kept.lock().await;
    if present.as_ref().is_some_and(|bundle| bundle.used() == used) {
        *present = None;
    }
}

/// Browsers say where a request comes from. A link that a person followed is that person's; anything else that another site starts is
/// not, and its answer would be hidden from it, but not its work.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    let is = |name: &str, wanted: &str| headers.get(name).is_some_and(|value| value == wanted);
    let is_followed =
        is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document") && is("sec-fetch-user", "?1");
    is("sec-fetch-site", "cross-site") && !is_followed
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
