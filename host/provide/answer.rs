//! What a provider said, before anything is known to be a patch.

use crate::change::Usage;

pub(super) struct Answer {
    pub(super) bytes: Vec<u8>,
    /// Who really wrote it, where the provider tells.
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
}
