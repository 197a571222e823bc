//! What a provider says while it works.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::environment::Secrets;
use guardhost_core::change::{Event, Observer};

/// Shows it: short, clean, and at most ten lines a second.
pub(super) struct Live<'a> {
    secrets: &'a Secrets,
    observer: &'a dyn Observer,
    last: Cell<Option<Instant>>,
}

impl<'a> Live<'a> {
    const PAUSE: Duration = Duration::from_millis(100);

    pub(super) fn new(secrets: &'a Secrets, observer: &'a dyn Observer) -> Self {
        Live { secrets, observer, last: Cell::new(None) }
    }

    pub(super) fn observer(&self) -> &dyn Observer {
        self.observer
    }

    pub(super) fn tell(&self, text: &str) {
        if self.last.get().is_some_and(|last| last.elapsed() < Self::PAUSE) {
            return;
        }
        let text = self.secrets.line(text, 160);
        if !text.is_empty() {
            self.last.set(Some(Instant::now()));
            self.observer.see(&Event::Progress { text });
        }
    }
}
