//! One observer that forwards every event to several.

use std::sync::Arc;

use guardhost_core::change::{Event, Observer};

pub struct Broadcast(pub Vec<Arc<dyn Observer>>);

impl Observer for Broadcast {
    fn see(&self, event: &Event) {
        self.0.iter().for_each(|observer| observer.see(event));
    }
}
