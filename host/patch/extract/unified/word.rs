//! Hunks of `git diff --word-diff`: no line has a sign, and what changed in it stands between `[-…-]` and `{+…+}`.
//!
//! Format: git-scm.com/docs/git-diff (`--word-diff=plain`). Git compares words and shows the new white space between them, so that an old
//! line is certain only if the file has it as it is.

use super::super::lines::Lines;
use super::hunk::is_no_newline;
use bstr::ByteSlice;
use guardhost_core::change::Line;

/// What one line says of the old and of the new text.
struct Words {
    old: Vec<u8>,
    new: Vec<u8>,
    has_removed: bool,
    has_added: bool,
    /// Something stands outside of the marks.
    is_shared: bool,
}

/// The lines of the hunk that begins at `at`, and the line after it, if one has marks and the counts come out exactly. A line without
/// marks is removed and added again, since only then it has to be the file's with all its blanks.
pub(super) fn hunk(lines: &Lines, at: usize, (old, new): (u32, u32)) -> Option<(Vec<Line>, usize)> {
    let (mut olds, mut news) = (old as usize, new as usize);
    let (mut read, mut next, mut has_marks) = (Vec::new(), at, false);
    while olds > 0 || news > 0 {
        let line = *lines.get(next).filter(|line| !is_no_newline(line))?;
        let words = words(line);
        has_marks |= words.has_removed || words.has_added;
        let is_old = words.is_shared || words.has_removed || !words.has_added;
        let is_new = words.is_shared || words.has_added || !words.has_removed;
        if is_old {
            olds = olds.checked_sub(1)?;
            read.push(Line::Remove(words.old));
        }
        if is_new {
            news = news.checked_sub(1)?;
            read.push(Line::Add(words.new));
        }
        next += 1;
    }
    (has_marks && !lines.get(next).is_some_and(|line| is_no_newline(line))).then_some((read, next))
}

/// Whether the line has no sign and is one change from its beginning to its end.
pub(super) fn is_marked(line: &[u8]) -> bool {
    line.starts_with(b"{+") && line.ends_with(b"+}") || line.starts_with(b"[-") && line.ends_with(b"-]")
}

fn words(line: &[u8]) -> Words {
    let mut words = Words { old: Vec::new(), new: Vec::new(), has_removed: false, has_added: false, is_shared: false };
    let mut rest = line;
    while !rest.is_empty() {
        let marked = |open: &[u8], close: &[u8]| {
            let inner = rest.strip_prefix(open)?;
            inner.find(close).map(|end| (&inner[..end], &inner[end + close.len()..]))
        };
        if let Some((text, behind)) = marked(b"[-", b"-]") {
            words.old.extend_from_slice(text);
            (words.has_removed, rest) = (true, behind);
        } else if let Some((text, behind)) = marked(b"{+", b"+}") {
            words.new.extend_from_slice(text);
            (words.has_added, rest) = (true, behind);
        } else {
            words.old.push(rest[0]);
            words.new.push(rest[0]);
            words.is_shared |= !rest[0].is_ascii_whitespace();
            rest = &rest[1..];
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn both_sides_of_a_line() {
        let line = words(b"  a [-b-]{+c d+} e[-]");
        assert_eq!((line.old.as_slice(), line.new.as_slice()), (&b"  a b e[-]"[..], &b"  a c d e[-]"[..]));
        assert!(line.is_shared && line.has_added && line.has_removed);
        assert!(!words(b"  {+new+}").is_shared);
    }
}
