//! A file whose whole content is given, against the existing file.

use crate::apply::text::{BOM, Ending, Text};

/// `wanted` with the byte order mark, the line endings and the final newline of `existing`: models see none of them, so they cannot
/// mean to change them. Mixed endings, and a newline added along with other changes, stay as they are given.
pub fn in_shape_of(existing: &[u8], wanted: &[u8]) -> Vec<u8> {
    match existing.strip_prefix(BOM) {
        Some(existing) if !wanted.is_empty() && !wanted.starts_with(BOM) => {
            [BOM, &in_lines_of(existing, wanted)].concat()
        }
        _ => in_lines_of(existing, wanted),
    }
}

fn in_lines_of(existing: &[u8], wanted: &[u8]) -> Vec<u8> {
    let (old, new) = (Text::new(existing), Text::new(wanted));
    // A file of one line without an ending does not say how its lines end.
    let uniform = old.mixture() == 0 && old.rows.first().is_some_and(|row| row.ending != Ending::None);
    let usual = old.ending();
    let ending = |own: Ending| if uniform && own != Ending::None { usual } else { own };
    let mut shaped = Vec::with_capacity(wanted.len() + new.len());
    for row in &new.rows {
        shaped.extend_from_slice(row.text);
        shaped.extend_from_slice(ending(row.ending).bytes());
    }
    if !shaped.is_empty() && !new.ends_with_newline() && old.ends_with_newline() && old.len() > 0 {
        shaped.extend_from_slice(usual.bytes());
    } else if shaped.strip_suffix(usual.bytes()) == Some(existing) {
        shaped.truncate(existing.len());
    }
    shaped
}
