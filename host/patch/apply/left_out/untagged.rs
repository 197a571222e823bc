//! A whole file out of a page that took everything between `<` and `>` for tags of its own.

use std::collections::HashSet;

use super::{BaseFile, lines_of};
use guardhost_core::change::FileOp;
use guardhost_core::error::Result;

pub(super) const UNTAGGED: &str = "lines of it lack what the file has between `<` and `>`, and are the same otherwise: something between took it for tags. \
                                   Send what changes as a diff.";

/// Lines that must have lost their tags: one may have been changed so.
const LEAST: usize = 2;

/// # Errors
/// When the repository's objects cannot be read.
pub(super) fn is_untagged(op: &FileOp, base: &BaseFile) -> Result<bool> {
    let FileOp::Write(bytes) = op else { return Ok(false) };
    let Some(text) = base.text()? else { return Ok(false) };
    let (old, new) = (lines_of(&text), lines_of(bytes));
    let (known, written): (HashSet<&[u8]>, HashSet<&[u8]>) =
        (old.iter().copied().collect(), new.iter().copied().collect());
    let lost = |line: &&&[u8]| {
        let bare = without_tags(line);
        bare.len() < line.len() && !written.contains(**line) && !known.contains(&*bare) && written.contains(&*bare)
    };
    Ok(old.iter().filter(lost).take(LEAST).count() == LEAST)
}

fn without_tags(line: &[u8]) -> Vec<u8> {
    let (mut bare, mut depth) = (Vec::with_capacity(line.len()), 0_usize);
    for (at, byte) in line.iter().enumerate() {
        match byte {
            // `a < b` is no tag.
            b'<' if depth > 0
                || line.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || b"/'&[(".contains(next)) =>
            {
                depth += 1;
            }
            b'>' if depth > 0 => depth -= 1,
            byte if depth == 0 => bare.push(*byte),
            _ => {}
        }
    }
    // What was never closed was no tag.
    if depth == 0 { bare } else { line.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::without_tags;

    #[test]
    fn tags() {
        assert_eq!(without_tags(b"by_name: HashMap<String, Vec<u8>>,"), b"by_name: HashMap,");
        assert_eq!(without_tags(b"if a < b && c > d {"), b"if a < b && c > d {");
        assert_eq!(without_tags(b"fn f() -> Option<&Rule> {"), b"fn f() -> Option {");
    }
}
