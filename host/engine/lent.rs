//! What the host lends to the guards that are granted it, beside the change itself.

use std::sync::Arc;

use crate::link_check::Net;
use guardhost_core::change::Past;
use guardhost_toolchain::Toolchain;

/// Nothing by default: a guard that asks is told that there is none, and can say so instead of failing.
#[derive(Clone, Default)]
pub struct Lent {
    /// Asks addresses, for `net`.
    pub net: Option<Arc<Net>>,
    /// What earlier runs came to, for `history`.
    pub past: Option<Arc<dyn Past>>,
    /// What runs builds and tests, for `toolchain`.
    pub toolchain: Option<Arc<Toolchain>>,
}

impl Lent {
    pub fn only(net: Net) -> Self {
        Lent { net: Some(Arc::new(net)), ..Lent::default() }
    }
}
