//! Network requests: with a timeout, and repeated after a transient error.

use std::future::Future;
use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};

use super::failure::{FetchError, FetchFailure};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// For one request, download included: 64 MiB over a slow line.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs `request`, at most three times. `address` names the source in messages.
///
/// # Errors
/// `Kind::GuardLoad`, code `fetch`, or `digest-mismatch` for content that does not have its digest.
pub fn retrying<T, F: Future<Output = Result<T, FetchError>>>(address: &str, request: impl Fn() -> F) -> Result<T> {
    // The HTTP client uses the default provider of the process. An error means that it is set already, to the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // As of `guardhost_http::runtime`: the clock goes on whatever a registry sends.
        .event_interval(1)
        .build()
        .context(Fault::new(FaultKind::GuardLoad, "cannot start the network runtime"))?;
    let once = || {
        runtime.block_on(async {
            let late = || FetchError::new(FetchFailure::Late, format_args!("no answer within {} s", TIMEOUT.as_secs()));
            tokio::time::timeout(TIMEOUT, request()).await.unwrap_or_else(|_| Err(late()))
        })
    };
    let pauses = ExponentialBuilder::default().with_min_delay(Duration::from_millis(300)).with_max_times(2);
    once.retry(pauses)
        .sleep(std::thread::sleep)
        .when(|error: &FetchError| error.class.is_transient())
        .call()
        .map_err(|error| error.fault(address).into())
}
