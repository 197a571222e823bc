//! How the net is asked: within a time, and again when it stumbled.

use std::future::Future;
use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};

use guardhost_core::error::{Context, Fault, Kind, Result};

/// What to do when what is there is not what was pinned.
pub const ANOTHER: &str = "ask its publisher why it changed; to take what is there now: host guard update";

/// For one question, the component included: 64 MiB over a slow line.
const PATIENCE: Duration = Duration::from_secs(120);

/// What went wrong, and whether it may go right the next time.
#[derive(Debug)]
pub struct Trouble {
    pub what: String,
    pub passing: bool,
    /// There is nothing of that name.
    pub absent: bool,
    /// What came is not what its digest says.
    pub another: bool,
}

impl Trouble {
    pub fn lasting(what: impl std::fmt::Display) -> Self {
        Trouble { what: what.to_string(), passing: false, absent: false, another: false }
    }

    pub fn another(expected: &str, actual: &str) -> Self {
        let what = format!("it is not what its digest says: expected {expected}, actual {actual}");
        Trouble { another: true, ..Trouble::lasting(what) }
    }
}

impl From<reqwest::Error> for Trouble {
    fn from(error: reqwest::Error) -> Self {
        let passing = error.is_timeout()
            || error.is_connect()
            || error.status().is_some_and(|status| status.is_server_error() || status.as_u16() == 429);
        // The reasons lie below: "connection refused", "invalid certificate".
        let mut what = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            what.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Trouble { passing, ..Trouble::lasting(what) }
    }
}

/// Runs `ask` to its end, at most three times. `whom` is for messages.
///
/// # Errors
/// `Kind::GuardLoad`, code `fetch`, or `digest-mismatch` for what is not what its digest says.
pub fn ask<T, F: Future<Output = Result<T, Trouble>>>(whom: &str, ask: impl Fn() -> F) -> Result<T> {
    // Both clients look for their cryptography in one place a process; who came first has set the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context(Fault::new(Kind::GuardLoad, "cannot start what talks to the net"))?;
    let once = || {
        runtime.block_on(async {
            let late = || Trouble::lasting(format_args!("no answer within {} s", PATIENCE.as_secs()));
            tokio::time::timeout(PATIENCE, ask()).await.unwrap_or_else(|_| Err(late()))
        })
    };
    let pauses = ExponentialBuilder::default().with_min_delay(Duration::from_millis(300)).with_max_times(2);
    once.retry(pauses).sleep(std::thread::sleep).when(|trouble: &Trouble| trouble.passing).call().map_err(|trouble| {
        let (hint, code) = match trouble.another {
            true => (ANOTHER, "digest-mismatch"),
            false => ("is the address right, and the machine on the net? what is kept runs with --offline", "fetch"),
        };
        Fault::new(Kind::GuardLoad, format!("{whom}: {}", trouble.what)).hint(hint).code(code).into()
    })
}
