//! The answer of an API as a whole: what the model said is a part of it.

use crate::answer::{self, ApiAnswer};
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// What the model said, if its answer ended by itself. `extract` refuses one that was cut off.
pub(super) fn strip(text: &[u8], _: &Watch) -> Option<(Vec<u8>, Note)> {
    match answer::read(text)? {
        ApiAnswer::Complete(said) => {
            Some((said.into_bytes(), Note::new("api-answer", "the reply was the whole answer of an API")))
        }
        ApiAnswer::Cut => None,
    }
}
