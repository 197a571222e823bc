//! What a provider said, before anything is known to be a patch.

use guardhost_core::change::Usage;

pub(super) struct Answer {
    pub(super) bytes: Vec<u8>,
    /// Who gave it, when that is not who was asked: of a recording.
    pub(super) provider: Option<String>,
    /// Who really wrote it, where the provider tells.
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
}

impl Answer {
    pub(super) fn new(bytes: impl Into<Vec<u8>>, model: Option<String>, usage: Usage) -> Self {
        Answer { bytes: bytes.into(), provider: None, model, usage }
    }
}
