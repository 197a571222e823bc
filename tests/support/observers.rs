//! An observer that keeps what it sees. One that ignores everything is `guardhost_core::change::NullObserver`.

use std::sync::Mutex;

use guardhost_core::change::{Event, Observer};

#[derive(Default)]
pub struct RecordingObserver(Mutex<Vec<Event>>);

impl Observer for RecordingObserver {
    fn see(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl RecordingObserver {
    pub fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    pub fn notices(&self) -> Vec<String> {
        let texts = self.all().into_iter().filter_map(|event| match event {
            Event::Notice { text } => Some(text),
            _ => None,
        });
        texts.collect()
    }

    /// `claude overloaded -> codex` for each failure of a provider.
    pub fn failures(&self) -> Vec<String> {
        let failures = self.all().into_iter().filter_map(|event| match event {
            Event::ProviderFailed { provider, class, next, .. } => Some((provider, class, next)),
            _ => None,
        });
        failures.map(|(provider, class, next)| format!("{provider} {class} -> {}", next.unwrap_or_default())).collect()
    }
}
