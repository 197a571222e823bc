//! The token that ends a message in a model's chat template, where a server leaves it in the answer.

use bstr::ByteSlice;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

use crate::end_tokens::{END_OF_FILE, END_TOKENS, FILENAME};

/// Removed when they are the last of the reply, and not alone on the line of a diff: there one may be what the line adds.
pub(super) fn strip(text: &[u8], _: &Watch) -> Option<(Vec<u8>, Note)> {
    let mut rest = text;
    while let Some(shorter) = END_TOKENS.iter().find_map(|token| rest.trim_ascii_end().strip_suffix(token.as_bytes())) {
        rest = shorter;
    }
    // There it ends the file.
    if text.trim_ascii_end().ends_with(END_OF_FILE) && text.lines().any(|line| line.starts_with(FILENAME)) {
        return None;
    }
    let line = &rest[rest.rfind_byte(b'\n').map_or(0, |end| end + 1)..];
    let is_of_diff = matches!(line.first(), Some(b'+' | b'-' | b' ')) && line[1..].trim_ascii().is_empty();
    (rest.len() < text.len() && !is_of_diff)
        .then(|| (rest.to_vec(), Note::new("end-token", "the token that ends a message was left in the answer")))
}
