//! Checks whether web addresses are alive, without ever connecting to this machine or its local network.
//!
//! Three rules make it safe to check addresses that a model wrote. Only `http` and `https` on their default ports are requested. A name
//! is resolved once, its addresses are checked, and the connection goes to the address that was checked. Every redirect is a new
//! request under the same rules. Requests carry no cookie, no credential and no referrer.

mod address;
mod ask;
mod client;
mod names;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use guardhost_core::stop::StopToken;
use names::NameLookups;
pub use names::{Network, NoAddress, System};

/// The state of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Liveness {
    /// The HTTP status, which says that the page exists.
    Alive(u16),
    /// 404, 410, or a name that does not exist.
    Gone(String),
    /// The reason why neither can be said.
    Unknown(String),
    /// Not requested, because of where it points; the reason.
    Refused(String),
}

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// One address, its redirects included.
    pub each: Duration,
    /// All addresses of one call together.
    pub all: Duration,
}

impl Default for Timeouts {
    /// A slow page takes 3 seconds. A change with sixty links to dead hosts is finished after 20.
    fn default() -> Self {
        Timeouts { each: Duration::from_secs(8), all: Duration::from_secs(20) }
    }
}

/// Checks addresses, and keeps the answers as long as it lives, which is one run.
pub struct LinkChecker {
    /// None makes no request.
    online: Option<Arc<Online>>,
    timeouts: Timeouts,
    known: Mutex<HashMap<String, Liveness>>,
}

/// What a request needs.
struct Online {
    names: Arc<NameLookups>,
    /// Made for the first request, because it reads the system's certificates.
    client: OnceLock<Result<reqwest::Client, String>>,
}

/// How often a request to stop is looked for.
const POLL: Duration = Duration::from_millis(50);

/// Requests at the same time.
const CONCURRENT: usize = 8;

impl LinkChecker {
    /// Every answer is [`Liveness::Unknown`].
    pub fn offline() -> Self {
        LinkChecker { online: None, timeouts: Timeouts::default(), known: Mutex::default() }
    }

    /// The system's resolver, and direct connections.
    pub fn online() -> Self {
        LinkChecker::through(Arc::new(System), Timeouts::default())
    }

    /// The same rules over another network, for tests.
    pub fn through(network: Arc<dyn Network>, timeouts: Timeouts) -> Self {
        let online = Online { names: Arc::new(NameLookups::new(network)), client: OnceLock::new() };
        LinkChecker { online: Some(Arc::new(online)), timeouts, known: Mutex::default() }
    }

    /// One answer for each address, in order. Blocks, at most for [`Timeouts::all`], or until it is to stop.
    pub fn probe(&self, urls: &[String], stop: &StopToken) -> Vec<Liveness> {
        let Some(online) = &self.online else {
            return vec![Liveness::Unknown("the host is offline".to_owned()); urls.len()];
        };
        let mut new: Vec<String> = urls.iter().map(|url| page(url).to_owned()).collect();
        new.sort();
        new.dedup();
        new.retain(|url| !self.known().contains_key(url));
        if !new.is_empty() {
            // On another thread, because the caller may run inside an async runtime, where blocking is not allowed.
            let ask = || ask_all(online, new, self.timeouts, stop);
            let answers = std::thread::scope(|scope| {
                let asking = std::thread::Builder::new().spawn_scoped(scope, ask);
                // Without a thread nothing is known of them.
                asking.map_or_else(|_| Ok(Vec::new()), |asking| asking.join())
            });
            self.known().extend(answers.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        let known = self.known();
        let unasked = || Liveness::Unknown("not asked: the time for this change was up".to_owned());
        urls.iter().map(|url| known.get(page(url)).cloned().unwrap_or_else(unasked)).collect()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, Liveness>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for LinkChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkChecker")
            .field("offline", &self.online.is_none())
            .field("timeouts", &self.timeouts)
            .finish()
    }
}

/// Without the fragment, which is never sent to the server.
fn page(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

/// In the order in which the answers came. An address for which there was no time has none.
fn ask_all(online: &Arc<Online>, urls: Vec<String>, timeouts: Timeouts, stop: &StopToken) -> Vec<(String, Liveness)> {
    let runtime = match guardhost_http::runtime() {
        Ok(runtime) => runtime,
        Err(error) => {
            let answer = Liveness::Unknown(format!("the network could not be used: {error}"));
            return urls.into_iter().map(|url| (url, answer.clone())).collect();
        }
    };
    let answers = runtime.block_on(async {
        let end = Instant::now() + timeouts.all;
        let permits = Arc::new(Semaphore::new(CONCURRENT));
        let mut asked = JoinSet::new();
        for url in urls {
            let (online, permits) = (online.clone(), permits.clone());
            asked.spawn(async move {
                // The semaphore is never closed, so this cannot fail.
                let _permit = permits.acquire().await;
                let answer = timeout(timeouts.each, ask::ask(&online, &url)).await.unwrap_or_else(|_| {
                    Liveness::Unknown(format!("no answer within {} seconds", timeouts.each.as_secs_f32()))
                });
                (url, answer)
            });
        }
        let mut answers = Vec::new();
        loop {
            match timeout_at(end.min(Instant::now() + POLL), asked.join_next()).await {
                Ok(Some(Ok(answer))) => answers.push(answer),
                Ok(None | Some(Err(_))) => break,
                Err(_) if Instant::now() >= end || stop.check().is_err() => break,
                Err(_) => {}
            }
        }
        answers
    });
    // Does not wait for a lookup that still hangs in the system's resolver.
    runtime.shutdown_background();
    answers
}
