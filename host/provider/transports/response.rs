//! What a provider answered, before anything is known to be a patch.

use guardhost_core::change::Usage;

pub(crate) struct ProviderResponse {
    pub(crate) bytes: Vec<u8>,
    /// The provider that wrote it, where that is not the one that was asked: a recording names it.
    pub(crate) provider: Option<String>,
    /// The model that wrote it, where the provider reports one.
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
}

impl ProviderResponse {
    pub(super) fn new(bytes: impl Into<Vec<u8>>, model: Option<String>, usage: Usage) -> Self {
        ProviderResponse { bytes: bytes.into(), provider: None, model, usage }
    }
}
