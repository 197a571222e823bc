//! A fix as text between two places of a file, for readers who count lines and columns and not bytes.

use super::Finding;

/// Maximum bytes between the first and the last edit of a fix.
const MAX_SPAN: u64 = 16 << 10;

/// All edits of a fix as one: this text takes the place of what stands from `start` up to `end`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub start: TextPlace,
    /// The place after the last one that is replaced.
    pub end: TextPlace,
    pub text: String,
}

/// A place in a text, both numbers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPlace {
    pub line: u32,
    /// In bytes.
    pub column: u32,
}

/// Which fix of which file.
pub(super) type FixKey = (String, Vec<(u64, u64, Vec<u8>)>);

/// None for a finding without a fix, and for a fix of another file than the finding's, or of several.
pub(super) fn key(finding: &Finding) -> Option<FixKey> {
    let (path, fix) = (finding.path.as_ref()?, finding.fix.as_ref()?);
    if fix.edits.is_empty() || fix.edits.iter().any(|edit| edit.path != *path) {
        return None;
    }
    let mut edits: Vec<_> = fix.edits.iter().map(|edit| (edit.start, edit.end, edit.replacement.clone())).collect();
    edits.sort();
    Some((path.clone(), edits))
}

/// None where the edits do not fit the text, lie too far apart, or make no text of it.
pub(super) fn from_edits(edits: &[(u64, u64, Vec<u8>)], bytes: &[u8]) -> Option<Replacement> {
    let (start, end) = (edits.first()?.0, edits.last()?.1);
    if end.checked_sub(start)? > MAX_SPAN {
        return None;
    }
    let (mut text, mut at) = (Vec::new(), start);
    for (from, to, replacement) in edits {
        // Edits that overlap are no fix.
        text.extend_from_slice(bytes.get(usize::try_from(at).ok()?..usize::try_from(*from).ok()?)?);
        text.extend_from_slice(replacement);
        at = *to;
        if to < from {
            return None;
        }
    }
    Some(Replacement {
        start: position_at(bytes, start)?,
        end: position_at(bytes, end)?,
        text: String::from_utf8(text).ok()?,
    })
}

fn position_at(bytes: &[u8], offset: u64) -> Option<TextPlace> {
    let before = bytes.get(..usize::try_from(offset).ok()?)?;
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.len() - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1) + 1;
    Some(TextPlace { line: u32::try_from(line).ok()?, column: u32::try_from(column).ok()? })
}

#[cfg(test)]
mod tests {
    use super::{Replacement, TextPlace, from_edits};

    #[test]
    fn edits_become_one_text_between_two_places() {
        let text = "ä = 1\nb = 2\r\nc = 3\n".as_bytes();
        let edit = |start, end, text: &str| (start, end, text.as_bytes().to_vec());
        let at = |line, column| TextPlace { line, column };
        let made = |edits: &[(u64, u64, Vec<u8>)]| from_edits(edits, text);
        let written = |start, end, text: &str| Some(Replacement { start, end, text: text.to_owned() });
        // `ä` has two bytes.
        assert_eq!(made(&[edit(5, 6, "7")]), written(at(1, 6), at(1, 7), "7"));
        assert_eq!(made(&[edit(7, 7, "x\n")]), written(at(2, 1), at(2, 1), "x\n"));
        assert_eq!(made(&[edit(5, 6, "7"), edit(18, 19, "9")]), written(at(1, 6), at(3, 6), "7\nb = 2\r\nc = 9"));
        for wrong in [&[edit(5, 9, ""), edit(7, 8, "")][..], &[edit(6, 5, "")], &[edit(0, 99, "")], &[]] {
            assert_eq!(made(wrong), None, "{wrong:?}");
        }
        assert_eq!(made(&[(0, 1, Vec::new()), (18, 19, vec![0xff])]), None, "not UTF-8");
    }
}
