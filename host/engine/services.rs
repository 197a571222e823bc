//! What the host lends to the guards that are granted it, beside the change itself.

use std::sync::Arc;

use crate::link_check::LinkChecker;
use guardhost_core::change::RunHistory;
use guardhost_toolchain::Toolchain;

/// Nothing by default: a guard that asks is told that there is none, and can say so instead of failing.
#[derive(Clone, Default)]
pub struct HostServices {
    /// Asks addresses, for `net`.
    pub net: Option<Arc<LinkChecker>>,
    /// What earlier runs came to, for `history`.
    pub past: Option<Arc<dyn RunHistory>>,
    /// What runs builds and tests, for `toolchain`.
    pub toolchain: Option<Arc<Toolchain>>,
}

impl HostServices {
    pub fn only(net: LinkChecker) -> Self {
        HostServices { net: Some(Arc::new(net)), ..HostServices::default() }
    }
}
