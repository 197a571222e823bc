//! Several observers as one.

use std::sync::Arc;

use guardhost_core::change::{Event, Observer};

pub struct Fan(pub Vec<Arc<dyn Observer>>);

impl Observer for Fan {
    fn see(&self, event: &Event) {
        self.0.iter().for_each(|observer| observer.see(event));
    }
}
