//! Network requests: with a timeout, and repeated after a transient error.

use std::future::Future;
use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};

use guardhost_core::error::{Context, Fault, Kind, Result};

/// The hint for a component that differs from the pinned one.
pub const WRONG_DIGEST_HINT: &str = "ask its publisher why it changed; to take what is there now: host guard update";

/// For one request, download included: 64 MiB over a slow line.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Why a request failed, and whether a second try makes sense.
#[derive(Debug)]
pub struct FetchError {
    pub what: String,
    pub is_transient: bool,
    /// The server has nothing of that name.
    pub is_missing: bool,
    /// The content does not have the digest that names it.
    pub is_wrong_digest: bool,
}

impl FetchError {
    pub fn permanent(what: impl std::fmt::Display) -> Self {
        FetchError { what: what.to_string(), is_transient: false, is_missing: false, is_wrong_digest: false }
    }

    pub fn wrong_digest(expected: &str, actual: &str) -> Self {
        let what = format!("its content does not match its digest: expected {expected}, actual {actual}");
        FetchError { is_wrong_digest: true, ..FetchError::permanent(what) }
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        let is_transient = error.is_timeout()
            || error.is_connect()
            || error.status().is_some_and(|status| status.is_server_error() || status.as_u16() == 429);
        // The sources hold the reason: "connection refused", "invalid certificate".
        let mut what = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            what.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        FetchError { is_transient, ..FetchError::permanent(what) }
    }
}

/// Runs `request`, at most three times. `address` is for messages.
///
/// # Errors
/// `Kind::GuardLoad`, code `fetch`, or `digest-mismatch` for content that does not have its digest.
pub fn retrying<T, F: Future<Output = Result<T, FetchError>>>(address: &str, request: impl Fn() -> F) -> Result<T> {
    // Both HTTP clients use the default provider of the process. An error means that it is set already, to the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context(Fault::new(Kind::GuardLoad, "cannot start the network runtime"))?;
    let once = || {
        runtime.block_on(async {
            let late = || FetchError::permanent(format_args!("no answer within {} s", TIMEOUT.as_secs()));
            tokio::time::timeout(TIMEOUT, request()).await.unwrap_or_else(|_| Err(late()))
        })
    };
    let pauses = ExponentialBuilder::default().with_min_delay(Duration::from_millis(300)).with_max_times(2);
    once.retry(pauses).sleep(std::thread::sleep).when(|error: &FetchError| error.is_transient).call().map_err(|error| {
        let (hint, code) = match error.is_wrong_digest {
            true => (WRONG_DIGEST_HINT, "digest-mismatch"),
            false => ("check the address and the network; components in the cache need no network: --offline", "fetch"),
        };
        Fault::new(Kind::GuardLoad, format!("{address}: {}", error.what)).hint(hint).code(code).into()
    })
}
