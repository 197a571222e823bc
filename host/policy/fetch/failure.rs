//! Why a request failed: whether it is tried again, and what the user can do.

use reqwest::StatusCode;

use guardhost_core::error::{Fault, Kind};

/// The hint for bytes that are not those that were pinned. It advises no update: that would take what an attacker put there.
pub const WRONG_DIGEST_HINT: &str = "do not use it: somebody may have altered it. Ask its publisher; where the pinned component \
                                     is still in the cache, `host guard vendor` keeps it in the repository";

const CACHED: &str = "components in the cache need no network: --offline";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
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

impl FailureClass {
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => FailureClass::Denied,
            StatusCode::NOT_FOUND | StatusCode::GONE => FailureClass::Missing,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => FailureClass::Server,
            status if status.is_server_error() => FailureClass::Server,
            _ => FailureClass::Rejected,
        }
    }

    /// Whether the same request may succeed a moment later.
    pub fn is_transient(self) -> bool {
        match self {
            FailureClass::Network | FailureClass::Server => true,
            FailureClass::Late
            | FailureClass::Denied
            | FailureClass::Missing
            | FailureClass::Rejected
            | FailureClass::Content
            | FailureClass::WrongDigest
            | FailureClass::UnsafeRealm => false,
        }
    }

    fn hint(self) -> String {
        match self {
            FailureClass::Network | FailureClass::Late => format!("check the address and the network; {CACHED}"),
            FailureClass::Server => format!("try again later; {CACHED}"),
            FailureClass::Denied => "log in with `docker login`, or ask the registry's owner for access".to_owned(),
            FailureClass::Missing => {
                "check the name, and the tag or digest; some registries hide what they have until `docker login`".to_owned()
            }
            FailureClass::Rejected => "check the address: is there a registry?".to_owned(),
            FailureClass::Content => "ask its publisher; `host guard publish` makes what the host reads".to_owned(),
            FailureClass::WrongDigest => WRONG_DIGEST_HINT.to_owned(),
            FailureClass::UnsafeRealm => {
                "ask the registry's owner for a token server with TLS; if the network is trusted, list its HOST:PORT in \
                 [trust] plain-http of guards.toml"
                    .to_owned()
            }
        }
    }

    fn code(self) -> &'static str {
        match self {
            FailureClass::WrongDigest => "digest-mismatch",
            FailureClass::Network
            | FailureClass::Late
            | FailureClass::Server
            | FailureClass::Denied
            | FailureClass::Missing
            | FailureClass::Rejected
            | FailureClass::Content
            | FailureClass::UnsafeRealm => "fetch",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct FetchError {
    pub class: FailureClass,
    /// Without the source, which [`FetchError::fault`] adds.
    pub what: String,
}

impl FetchError {
    pub fn new(class: FailureClass, what: impl std::fmt::Display) -> Self {
        FetchError { class, what: what.to_string() }
    }

    /// What is served is no guard, or breaks a limit.
    pub fn content(what: impl std::fmt::Display) -> Self {
        FetchError::new(FailureClass::Content, what)
    }

    pub fn wrong_digest(what: &str, expected: &str, actual: &str) -> Self {
        let what = format!("{what} does not have its digest: expected {expected}, actual {actual}");
        FetchError::new(FailureClass::WrongDigest, what)
    }

    /// `address` names the source, once.
    pub fn fault(self, address: &str) -> Fault {
        let FetchError { class, what } = self;
        Fault::new(Kind::GuardLoad, format!("{address}: {what}")).hint(class.hint()).code(class.code())
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        let (class, what) = match () {
            () if error.is_timeout() => (FailureClass::Network, "no answer in time"),
            () if error.is_connect() => (FailureClass::Network, "cannot connect"),
            () if error.is_body() || error.is_decode() => (FailureClass::Network, "the answer was cut off"),
            () if error.is_request() => (FailureClass::Network, "no answer"),
            () if error.is_redirect() => (FailureClass::Rejected, "it redirects to where the host does not follow"),
            () => (FailureClass::Rejected, "it cannot be asked"),
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
