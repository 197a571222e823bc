//! What package registries know. Whoever uses this imports `registry`.

pub use crate::bindings::guardhost::registry::registry::{PackageName, Publication, Standing};
use crate::{Denied, Source};

/// The package registries, asked by the host: see the contract for which.
#[derive(Clone, Copy)]
pub struct Registries<'c>(pub(crate) &'c Source);

impl Registries<'_> {
    /// One answer a package, in order. Ask for all at once: the host asks for several at a time.
    pub fn look_up(&self, packages: &[PackageName]) -> Result<Vec<Standing>, Denied> {
        self.0.look_up(packages)
    }
}
