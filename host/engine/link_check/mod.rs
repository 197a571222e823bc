//! Whether addresses of the web are alive, asked without ever reaching into the network that this machine stands in.
//!
//! Three rules make it safe to ask what a model wrote: only `http` and `https` on their own ports are asked; a name is looked
//! up once, its addresses are checked, and the connection goes to the address that was checked; and every redirect is a
//! new question under the same rules. Nothing of this machine is sent along: no cookie, no credential, no referrer.

mod address;
mod ask;
mod client;
mod names;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use names::Names;
pub use names::{NoAddress, System, Wires};

/// What an address answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// A status that says it is there.
    Alive(u16),
    /// 404, 410, or a name that does not exist.
    Gone(String),
    /// No verdict can rest on it.
    Unknown(String),
    /// Not asked, because of where it points.
    Refused(String),
}

/// How long answers may take.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// One address, its redirects included.
    pub each: Duration,
    /// All addresses of one call together.
    pub all: Duration,
}

impl Default for Patience {
    /// A slow page takes 3 seconds; a change of sixty links whose hosts are all dead is through after 20.
    fn default() -> Self {
        Patience { each: Duration::from_secs(8), all: Duration::from_secs(20) }
    }
}

/// Asks, and remembers for as long as it lives, which is one run.
pub struct LinkChecker {
    /// None asks nobody.
    online: Option<Arc<Online>>,
    patience: Patience,
    known: Mutex<HashMap<String, Liveness>>,
}

/// What a question takes.
struct Online {
    names: Arc<Names>,
    /// Made when the first address is asked: it reads the system's certificates.
    client: OnceLock<Result<reqwest::Client, String>>,
}

/// Questions that wait at once.
const AT_ONCE: usize = 8;

impl LinkChecker {
    /// Every answer is [`Liveness::Unknown`].
    pub fn offline() -> Self {
        LinkChecker { online: None, patience: Patience::default(), known: Mutex::default() }
    }

    /// The system's resolver and this machine's way to the internet.
    pub fn online() -> Self {
        LinkChecker::through(Arc::new(System), Patience::default())
    }

    /// The same rules over other wires.
    pub fn through(wires: Arc<dyn Wires>, patience: Patience) -> Self {
        let online = Online { names: Arc::new(Names::new(wires)), client: OnceLock::new() };
        LinkChecker { online: Some(Arc::new(online)), patience, known: Mutex::default() }
    }

    /// One answer an address, in order. Blocks, for as long as the patience lasts at most.
    pub fn probe(&self, urls: &[String]) -> Vec<Liveness> {
        let Some(online) = &self.online else {
            return vec![Liveness::Unknown("the host is offline".to_owned()); urls.len()];
        };
        let mut new: Vec<String> = urls.iter().map(|url| page(url).to_owned()).collect();
        new.sort();
        new.dedup();
        new.retain(|url| !self.known().contains_key(url));
        if !new.is_empty() {
            // A thread of its own: whoever calls may stand in a runtime, in which nothing may block.
            let ask = || ask_all(online, new, self.patience);
            let answers = std::thread::scope(|scope| scope.spawn(ask).join());
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
            .field("patience", &self.patience)
            .finish()
    }
}

/// A fragment is the reader's business; the server never sees it.
fn page(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

/// Answers as they came; an address for which there was no time has none.
fn ask_all(online: &Arc<Online>, urls: Vec<String>, patience: Patience) -> Vec<(String, Liveness)> {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let answer = Liveness::Unknown(format!("the network could not be used: {error}"));
            return urls.into_iter().map(|url| (url, answer.clone())).collect();
        }
    };
    let answers = runtime.block_on(async {
        let end = Instant::now() + patience.all;
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        let mut asked = JoinSet::new();
        for url in urls {
            let (online, turns) = (online.clone(), turns.clone());
            asked.spawn(async move {
                // Nobody closes it.
                let _turn = turns.acquire().await;
                let answer = timeout(patience.each, ask::ask(&online, &url)).await.unwrap_or_else(|_| {
                    Liveness::Unknown(format!("no answer within {} seconds", patience.each.as_secs_f32()))
                });
                (url, answer)
            });
        }
        let mut answers = Vec::new();
        while let Ok(Some(Ok(answer))) = timeout_at(end, asked.join_next()).await {
            answers.push(answer);
        }
        answers
    });
    // A lookup that still hangs in the system's resolver is left to it.
    runtime.shutdown_background();
    answers
}
