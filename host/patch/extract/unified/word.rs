//! Hunks of `git diff --word-diff`: no line has a sign, and what changed in it stands between `[-…-]` and `{+…+}`.
//!
//! Format: git-scm.com/docs/git-diff (`--word-diff=plain`). Git compares words and shows the new white space between them, so that an old
//! line is certain only if the file has it as it is.

use super::super::lines::{Lines, blank};
use super::hunk::{is_no_newline, regain_signs};
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

/// The lines of the hunk that begins at `at`, and the line after it, if one has marks and the counts come out exactly. A blank line has
/// no marks: among added or removed lines it is one of them, if the counts come out so.
pub(super) fn hunk(lines: &Lines, at: usize, counts: (u32, u32)) -> Option<(Vec<Line>, usize)> {
    let (mut olds, mut news) = (0, 0);
    let (mut read, mut bare, mut next, mut has_marks) = (Vec::new(), Vec::new(), at, false);
    while olds < counts.0 || news < counts.1 {
        let line = *lines.get(next).filter(|line| !is_no_newline(line))?;
        let words = words(line);
        let is_marked = words.has_removed || words.has_added;
        // The white space before words that go is that of the new text, whose next words may stand lines below.
        if words.has_removed && !words.has_added && !words.is_shared && !words.new.is_empty() {
            return None;
        }
        has_marks |= is_marked;
        let (is_old, is_new) = (words.is_shared || words.has_removed, words.is_shared || words.has_added);
        match (is_old, is_new) {
            (true, false) => read.push(Line::Remove(words.old)),
            (false, true) => read.push(Line::Add(words.new)),
            (true, true) if is_marked => read.extend([Line::Remove(words.old), Line::Add(words.new)]),
            (true, true) | (false, false) => {
                bare.extend(blank(line).then_some(read.len()));
                read.push(Line::Context(words.new));
            }
        }
        olds += u32::from(is_old || !is_new);
        news += u32::from(is_new || !is_old);
        next += 1;
    }
    let added = olds.checked_sub(counts.0).filter(|added| *added > 0 && news == counts.1);
    // Of several blank lines only all can be those that go: which of them it is changes the new text.
    let all_go = news.checked_sub(counts.1).is_some_and(|gone| gone == 0 || gone as usize == bare.len());
    let is_exact = (olds, news) == counts
        || all_go && regain_signs(&mut read, &bare, counts)
        || added.is_some_and(|added| regain_added(&mut read, &bare, added as usize));
    // A line that stands right below is one of the hunk: git put a line feed of its own between others. A blank one may be.
    let ends = lines.get(next).is_none_or(|line| is_end(line) || blank(line) && bare.is_empty());
    let is_whole = has_marks && is_exact && ends;
    is_whole.then(|| (read.into_iter().flat_map(replaced).collect(), next))
}

/// Makes added lines of so many blank ones at the edges of added lines. Which of several blank lines is the new one changes the old text
/// alone, and that has to fit.
fn regain_added(lines: &mut [Line], bare: &[usize], added: usize) -> bool {
    let is_text = |at: &usize| !bare.contains(at);
    let is_added = |at: Option<usize>| at.is_some_and(|at| matches!(lines[at], Line::Add(_)));
    let edges = |at: usize| {
        let above = is_added((0..at).rev().find(is_text));
        (above, is_added((at + 1..lines.len()).find(is_text)))
    };
    let is_first = |at: usize| at > 0 && is_text(&(at - 1));
    let chosen: Vec<usize> = bare
        .iter()
        .copied()
        .filter(|at| match edges(*at) {
            (true, true) => true,
            // Git lets what is added end in the blank line below it.
            (true, false) => is_first(*at),
            (false, _) => false,
        })
        .collect();
    if chosen.len() != added {
        return false;
    }
    chosen.into_iter().for_each(|at| lines[at] = Line::Add(Vec::new()));
    true
}

/// A line without marks is removed and added again, since only then it has to be the file's with all its blanks.
fn replaced(line: Line) -> Vec<Line> {
    match line {
        Line::Context(text) => vec![Line::Remove(text.clone()), Line::Add(text)],
        Line::Add(_) | Line::Remove(_) => vec![line],
    }
}

/// The line behind those that a hunk of so many lines may have if it marks words: each counts on one side at least.
pub(super) fn end_of_marks(lines: &Lines, at: usize, (old, new): (u32, u32)) -> usize {
    let most = (old as usize).saturating_add(new as usize);
    lines[at..]
        .iter()
        .take(most)
        .position(|line| is_end(line))
        .map_or(lines.len().min(at.saturating_add(most)), |next| at + next)
}

/// Whether a hunk ends above the line, whatever its header counts.
fn is_end(line: &[u8]) -> bool {
    [&b"@@ "[..], b"diff --", b"```", b"~~~", b"<"].iter().any(|mark| line.starts_with(mark))
}

/// Whether the line has no sign and is one change from its beginning to its end. `is_bare`: a line beside it has no sign, so that the
/// hunk may be one of words whose counts did not come out. Then white space may be around the change, and other text.
pub(super) fn is_marked(line: &[u8], is_bare: bool) -> bool {
    let is_whole = line.starts_with(b"{+") && line.ends_with(b"+}") || line.starts_with(b"[-") && line.ends_with(b"-]");
    let words = words(line);
    is_whole || is_bare && (words.has_removed || words.has_added)
}

fn words(line: &[u8]) -> Words {
    let mut words = Words { old: Vec::new(), new: Vec::new(), has_removed: false, has_added: false, is_shared: false };
    let mut rest = line;
    // Behind these a mark that begins does not end, and is not looked for again.
    let (last_removed, last_added) = (line.rfind(b"-]"), line.rfind(b"+}"));
    while !rest.is_empty() {
        let at = line.len() - rest.len();
        let marked = |open: &[u8], close: &[u8]| {
            let last = if close == b"-]" { last_removed } else { last_added };
            let inner = rest.strip_prefix(open).filter(|_| last.is_some_and(|last| last >= at + open.len()))?;
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
    use super::{is_marked, words};

    #[test]
    fn marks_beside_lines_without_signs() {
        for line in ["\t{+p+}", "+ [-j-]{+k+}", "a [-b-] c"] {
            assert!(is_marked(line.as_bytes(), true) && !is_marked(line.as_bytes(), false), "{line}");
        }
        assert!(is_marked(b"{+a b+}", false) && !is_marked(b"+[-1, x]", true));
    }

    #[test]
    fn both_sides_of_a_line() {
        let line = words(b"  a [-b-]{+c d+} e[-]");
        assert_eq!((line.old.as_slice(), line.new.as_slice()), (&b"  a b e[-]"[..], &b"  a c d e[-]"[..]));
        assert!(line.is_shared && line.has_added && line.has_removed);
        assert!(!words(b"  {+new+}").is_shared);
    }
}
