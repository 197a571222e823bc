//! Why a request failed: whether it is tried again, and what the user can do.

use reqwest::StatusCode;

use guardhost_core::error::{Fault, FaultKind};

/// The hint for bytes that are not those that were pinned. It advises no update: that would take what an attacker put there.
pub const WRONG_DIGEST_HINT: &str = "do not use it: somebody may have altered it. Ask its publisher; where the pinned component \
                                     is still in the cache, `host guard vendor` keeps it in the repository";

const CACHED: &str = "components in the cache need no network: --offline";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchFailure {
    /// No answer, or one that was cut: names, connections, certificates, timeouts.
    Network,
    /// No complete answer in the time for all of it. Asking again would take as long.
    Late,
    /// The server fails or is busy.
    Server,
    /// The server wants another login, or none at all.
    Denied,
    /// The server has nothing of that name.
    Missing,
    /// The server does not accept the request.
    Rejected,
    /// What it serves is no guard, or breaks a limit.
    Content,
    /// What it serves does not have the digest that names it.
    WrongDigest,
    /// The registry asks for credentials to be sent without TLS.
    UnsafeRealm,
}

impl FetchFailure {
    pub fn from_status(status: StatusCode) -> Self {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => FetchFailure::Denied,
            StatusCode::NOT_FOUND | StatusCode::GONE => FetchFailure::Missing,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => FetchFailure::Server,
            status if status.is_server_error() => FetchFailure::Server,
            _ => FetchFailure::Rejected,
        }
    }

    /// Whether the same request may succeed a moment later.
    pub fn is_transient(self) -> bool {
        match self {
            FetchFailure::Network | FetchFailure::Server => true,
            FetchFailure::Late
            | FetchFailure::Denied
            | FetchFailure::Missing
            | FetchFailure::Rejected
            | FetchFailure::Content
            | FetchFailure::WrongDigest
            | FetchFailure::UnsafeRealm => false,
        }
    }

    fn hint(self) -> String {
        match self {
            FetchFailure::Network | FetchFailure::Late => format!("check the address and the network; {CACHED}"),
            FetchFailure::Server => format!("try again later; {CACHED}"),
            FetchFailure::Denied => "log in with `docker login`, or ask the registry's owner for access".to_owned(),
            FetchFailure::Missing => {
                "check the name, and the tag or digest; some registries hide what they have until `docker login`".to_owned()
            }
            FetchFailure::Rejected => "check the address: is there a registry?".to_owned(),
            FetchFailure::Content => "ask its publisher; `host guard publish` makes what the host reads".to_owned(),
            FetchFailure::WrongDigest => WRONG_DIGEST_HINT.to_owned(),
            FetchFailure::UnsafeRealm => {
                "ask the registry's owner for a token server with TLS; if the network is trusted, list its HOST:PORT in \
                 [trust] plain-http of guards.toml"
                    .to_owned()
            }
        }
    }

    fn code(self) -> &'static str {
        match self {
            FetchFailure::WrongDigest => "digest-mismatch",
            FetchFailure::Network
            | FetchFailure::Late
            | FetchFailure::Server
            | FetchFailure::Denied
            | FetchFailure::Missing
            | FetchFailure::Rejected
            | FetchFailure::Content
            | FetchFailure::UnsafeRealm => "fetch",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct FetchError {
    pub class: FetchFailure,
    /// Without the source, which [`FetchError::fault`] adds.
    pub what: String,
}

impl FetchError {
    pub fn new(class: FetchFailure, what: impl std::fmt::Display) -> Self {
        FetchError { class, what: what.to_string() }
    }

    /// What is served is no guard, or breaks a limit.
    pub fn content(what: impl std::fmt::Display) -> Self {
        FetchError::new(FetchFailure::Content, what)
    }

    pub fn wrong_digest(what: &str, expected: &str, actual: &str) -> Self {
        let what = format!("{what} does not have its digest: expected {expected}, actual {actual}");
        FetchError::new(FetchFailure::WrongDigest, what)
    }

    /// `address` names the source, once.
    pub fn fault(self, address: &str) -> Fault {
        let FetchError { class, what } = self;
        Fault::new(FaultKind::GuardLoad, format!("{address}: {what}")).hint(class.hint()).code(class.code())
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        let (class, what) = match () {
            () if error.is_timeout() => (FetchFailure::Network, "no answer in time"),
            () if error.is_connect() => (FetchFailure::Network, "cannot connect"),
            () if error.is_body() || error.is_decode() => (FetchFailure::Network, "the answer was cut off"),
            () if error.is_request() => (FetchFailure::Network, "no answer"),
            () if error.is_redirect() => (FetchFailure::Rejected, "it redirects to where the host does not follow"),
            () => (FetchFailure::Rejected, "it cannot be asked"),
        };
        let address = error.url().map_or_else(String::new, |url| {
            let mut url = url.clone();
            url.set_query(None);
            format!(" ({url})")
        });
        // The last source is the reason: "Connection refused", "invalid peer certificate".
        let mut reason: &dyn std::error::Error = &error;
        while let Some(source) = reason.source() {
            reason = source;
        }
        FetchError::new(class, format!("{what}{address}: {reason}"))
    }
}
