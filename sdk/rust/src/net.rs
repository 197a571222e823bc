//! Whether addresses are alive. Whoever uses this imports `net`.

pub use crate::bindings::guardhost::net::net::Liveness;
use crate::{Denied, Source};

/// The web, asked by the host: see the contract for what it refuses.
#[derive(Clone, Copy)]
pub struct Net<'c>(pub(crate) &'c Source);

impl Net<'_> {
    /// One answer an address, in order. Ask all at once: the host asks them in parallel.
    pub fn probe(&self, urls: &[String]) -> Result<Vec<Liveness>, Denied> {
        self.0.probe(urls)
    }
}
