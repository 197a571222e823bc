//! The hunks between two texts, and the text that some of them make.

use std::ops::Range;

use git2::{DiffOptions, Patch};
use guardhost_core::error::{Context as _, Result};

/// Lines of the old text that become lines of the new one, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// From top to bottom, without context; none between texts that are the same, or of which one is binary.
///
/// # Errors
/// libgit2 cannot compare them.
pub fn hunks(old: &[u8], new: &[u8]) -> Result<Vec<Hunk>> {
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0);
    let what = "cannot compare two contents";
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options)).context(what)?;
    let mut found = Vec::new();
    for number in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(number).context(what)?;
        found.push(Hunk {
            old: range(hunk.old_start(), hunk.old_lines()),
            new: range(hunk.new_start(), hunk.new_lines()),
        });
    }
    Ok(found)
}

/// Of no lines git names the one before.
fn range(start: u32, lines: u32) -> Range<usize> {
    let (start, lines) = (start as usize, lines as usize);
    let first = if lines == 0 { start } else { start.saturating_sub(1) };
    first..first + lines
}

/// `old` with these of its hunks to `new`, from top to bottom.
pub fn with_hunks(old: &[u8], new: &[u8], chosen: &[Hunk]) -> Vec<u8> {
    let lines =
        |text: &'_ [u8]| -> Vec<Vec<u8>> { text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let (old, new) = (lines(old), lines(new));
    let (mut text, mut at) = (Vec::new(), 0);
    for hunk in chosen {
        text.extend(old[at..hunk.old.start].concat());
        text.extend(new[hunk.new.clone()].concat());
        at = hunk.old.end;
    }
    text.extend(old[at..].concat());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_hunks_make_a_text_between_two() {
        for (old, new) in [
            ("a\nb\nc\nd\n", "A\nb\nc\nD\nE\n"),
            ("a\nb\nc\nd\n", "b\nc\nx\nd\n"),
            ("", "a\nb\n"),
            ("a\nb", "a\nb\nc"),
            ("a\nb\nc\n", ""),
        ] {
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let all = hunks(old, new).expect("a comparison");
            assert_eq!(with_hunks(old, new, &[]), old);
            assert_eq!(with_hunks(old, new, &all), new);
        }
        let (old, new) = (b"a\nb\nc\nd\n", b"A\nb\nc\nD\nE\n");
        let all = hunks(old, new).expect("a comparison");
        assert_eq!(all.len(), 2);
        assert_eq!(with_hunks(old, new, &all[1..]), b"a\nb\nc\nD\nE\n");
    }
}
