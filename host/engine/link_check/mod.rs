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

use serde::{Deserialize, Serialize};

pub use crate::asking::Timeouts;
use crate::asking::ask_all;
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
            let ask = |url: String| {
                let online = online.clone();
                async move { ask::ask(&online, &url).await }
            };
            self.known().extend(ask_all(new, self.timeouts, stop, ask, Liveness::Unknown));
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
