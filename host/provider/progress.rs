//! What a provider prints while it works, shown live.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::secrets::ProviderSecrets;
use guardhost_core::change::{Event, Observer};

/// Turns a provider's output into [`Event::Progress`]: one short line without secrets, at most ten lines a second.
pub(super) struct ProgressReporter<'a> {
    secrets: &'a ProviderSecrets,
    observer: &'a dyn Observer,
    /// When the last line was shown. A lock, because a future that may move between threads shares it.
    last: Mutex<Option<Instant>>,
}

impl<'a> ProgressReporter<'a> {
    const INTERVAL: Duration = Duration::from_millis(100);
    /// In characters.
    const MAX_LINE: usize = 160;

    pub(super) fn new(secrets: &'a ProviderSecrets, observer: &'a dyn Observer) -> Self {
        ProgressReporter { secrets, observer, last: Mutex::new(None) }
    }

    pub(super) fn report(&self, text: &str) {
        let mut last = self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if last.is_some_and(|last| last.elapsed() < Self::INTERVAL) {
            return;
        }
        let text = self.secrets.redact_line(text, Self::MAX_LINE);
        if !text.is_empty() {
            *last = Some(Instant::now());
            drop(last);
            self.observer.see(&Event::Progress { text });
        }
    }
}
