//! Context diffs: the old lines of a hunk, and below them the new ones. They are read into the hunks of a unified diff.
//!
//! Format: the POSIX `diff -c` output.

use super::super::lines::{Lines, blank, malformed, truncated};
use super::hunk::is_no_newline;
use guardhost_core::change::{Hunk, Line, NoPatch};

const STARS: &[u8] = b"***************";

/// Whether the names of a file stand here, and a hunk below them.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> bool {
    let begins = |at: usize, mark: &[u8]| lines.get(at).is_some_and(|line| line.starts_with(mark));
    begins(at, b"*** ") && begins(at + 1, b"--- ") && begins(at + 2, STARS)
}

/// The hunks that begin at the line, and the line after them.
pub(super) fn hunks(lines: &Lines, start: usize) -> Result<(Vec<Hunk>, usize), NoPatch> {
    let (mut hunks, mut at) = (Vec::new(), start);
    while let Some(heading) = lines.get(at).and_then(|line| line.strip_prefix(STARS)) {
        let (hunk, next) = hunk(lines, at + 1)?;
        let heading = heading.trim_ascii();
        let anchors = if heading.is_empty() { Vec::new() } else { vec![heading.to_vec()] };
        hunks.push(Hunk { anchors, ..hunk });
        at = next;
    }
    Ok((hunks, at))
}

/// One side of a hunk. A side without changes is left out, but for its line of numbers.
struct Half<'l> {
    first: u32,
    lines: Vec<(u8, &'l [u8])>,
    has_no_newline: bool,
    next: usize,
}

fn hunk(lines: &Lines, at: usize) -> Result<(Hunk, usize), NoPatch> {
    let old = half(lines, at, (b"*** ", b" ****"), b"-!")?;
    let new = half(lines, old.next, (b"--- ", b" ----"), b"+!")?;
    let merged = merged(&old, &new)
        .ok_or_else(|| malformed(at, "the two halves of this context diff do not fit together; send a unified diff"))?;
    let is_left_out = |half: &Half| half.lines.is_empty();
    let ends_in_context = matches!(merged.last(), Some(Line::Context(_)));
    let hunk = Hunk {
        old_start: Some(old.first),
        old_no_newline: old.has_no_newline || ends_in_context && is_left_out(&old) && new.has_no_newline,
        new_no_newline: new.has_no_newline || ends_in_context && is_left_out(&new) && old.has_no_newline,
        lines: merged,
        ..Hunk::default()
    };
    Ok((hunk, new.next))
}

/// The half whose line of numbers is `at`, between `marks`. Its lines have two columns of marks before them.
fn half<'l>(lines: &'l Lines, at: usize, marks: (&[u8], &[u8]), signs: &[u8]) -> Result<Half<'l>, NoPatch> {
    let Some(line) = lines.get(at) else {
        return Err(truncated(at.saturating_sub(1), "the context diff ends inside a hunk"));
    };
    let (first, count) = numbers(line, marks)
        .ok_or_else(|| malformed(at, "this is no line of numbers of a context diff; send a unified diff"))?;
    let mut half = Half { first, lines: Vec::new(), has_no_newline: false, next: at + 1 };
    while let Some(line) = lines.get(half.next).filter(|_| half.lines.len() < count) {
        let line = match *line {
            [sign, b' ', text @ ..] if *sign == b' ' || signs.contains(sign) => (*sign, text),
            // An editor takes blanks off the end of a line.
            [sign] if signs.contains(sign) => (*sign, &b""[..]),
            line if blank(line) => (b' ', &b""[..]),
            _ => break,
        };
        half.lines.push(line);
        half.next += 1;
    }
    // What is left out has no lines, though it is counted; blank lines may stand below it.
    if half.lines.iter().all(|(sign, text)| *sign == b' ' && blank(text)) && half.lines.len() < count {
        return Ok(Half { lines: Vec::new(), next: at + 1, ..half });
    }
    if half.lines.len() < count {
        return Err(match lines.get(half.next) {
            None => truncated(at, "the context diff ends inside a hunk"),
            Some(_) => malformed(at, "this half of a context diff has fewer lines than it counts; send a unified diff"),
        });
    }
    if lines.get(half.next).is_some_and(|line| is_no_newline(line)) {
        (half.has_no_newline, half.next) = (true, half.next + 1);
    }
    Ok(half)
}

/// The first line and the count of `*** 8,14 ****`; `8` alone is one line, and `0` none.
fn numbers(line: &[u8], (open, close): (&[u8], &[u8])) -> Option<(u32, usize)> {
    let inner = line.trim_ascii_end().strip_prefix(open)?.strip_suffix(close)?;
    let text = std::str::from_utf8(inner).ok()?;
    let (first, last) = text.split_once(',').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    let count = if last == 0 { 0 } else { (last + 1).checked_sub(first)? };
    Some((first, count as usize))
}

/// The lines of both halves in the order of a unified diff; None where their context differs.
fn merged(old: &Half, new: &Half) -> Option<Vec<Line>> {
    fn context<'l>(half: &Half<'l>) -> Vec<(u8, &'l [u8])> {
        half.lines.iter().copied().filter(|(sign, _)| *sign == b' ').collect()
    }
    let (olds, news) = match (old.lines.is_empty(), new.lines.is_empty()) {
        (true, true) => return None,
        (true, false) => (context(new), new.lines.clone()),
        (false, true) => (old.lines.clone(), context(old)),
        (false, false) => (old.lines.clone(), new.lines.clone()),
    };
    let (mut olds, mut news) = (olds.as_slice(), news.as_slice());
    let mut lines = Vec::new();
    loop {
        let sign = |side: &[(u8, &[u8])]| side.first().map(|(sign, _)| *sign);
        match (sign(olds), sign(news)) {
            (None, None) => return Some(lines),
            (Some(b'-'), _) => lines.push(Line::Remove(take(&mut olds)?.to_vec())),
            (_, Some(b'+')) => lines.push(Line::Add(take(&mut news)?.to_vec())),
            (Some(b'!'), Some(b'!')) => {
                while sign(olds) == Some(b'!') {
                    lines.push(Line::Remove(take(&mut olds)?.to_vec()));
                }
                while sign(news) == Some(b'!') {
                    lines.push(Line::Add(take(&mut news)?.to_vec()));
                }
            }
            (Some(b' '), Some(b' ')) => {
                let (line, other) = (take(&mut olds)?, take(&mut news)?);
                (line == other).then(|| lines.push(Line::Context(line.to_vec())))?;
            }
            _ => return None,
        }
    }
}

fn take<'l>(side: &mut &[(u8, &'l [u8])]) -> Option<&'l [u8]> {
    let ((_, text), rest) = side.split_first()?;
    *side = rest;
    Some(text)
}
