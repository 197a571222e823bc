//! One hunk: its header in every spelling that models use, and where its body ends.

use super::super::lines::{Lines, blank, skip_blank};
use super::{names, section_starts};
use crate::fence::Fence;
use guardhost_core::change::{Hunk, Line};

/// The content of a `@@` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub old_start: Option<u32>,
    /// Lines on the old and on the new side.
    pub counts: Option<(u32, u32)>,
    pub heading: Option<Vec<u8>>,
}

/// `@@ -1,3 +1,4 @@ heading`, `@@ -1 +1 @@`, `@@`, `@@ ... @@`, `@@ def f():`.
pub(in super::super) fn header(line: &[u8]) -> Option<Header> {
    let line = line.trim_ascii_end();
    let rest = line.strip_prefix(b"@@").filter(|rest| rest.first().is_none_or(|byte| *byte == b' '))?;
    if let Some((old_start, old, tail)) = range(rest.trim_ascii_start(), b'-') {
        let (new, tail) = match range(tail.trim_ascii_start(), b'+') {
            Some((_, new, tail)) => (Some(new), tail),
            None => (None, tail),
        };
        let heading = tail.trim_ascii_start().strip_prefix(b"@@").map_or(&b""[..], |text| text.trim_ascii());
        return Some(Header { old_start: Some(old_start), counts: new.map(|new| (old, new)), heading: named(heading) });
    }
    let text = rest.trim_ascii();
    Some(Header { heading: named(text.strip_suffix(b"@@").unwrap_or(text).trim_ascii()), ..Header::default() })
}

fn named(heading: &[u8]) -> Option<Vec<u8>> {
    (!heading.is_empty() && heading != b"..." && heading != "…".as_bytes()).then(|| heading.to_vec())
}

/// `-12,3` → (12, 3, rest); the count is 1 where it is left out.
fn range(text: &[u8], sign: u8) -> Option<(u32, u32, &[u8])> {
    let (start, rest) = number(text.strip_prefix(&[sign])?)?;
    match rest.strip_prefix(b",").and_then(number) {
        Some((count, rest)) => Some((start, count, rest)),
        None => Some((start, 1, rest)),
    }
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some((std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?, &text[digits..]))
}

/// How many of the lines that the header counts are missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) enum Missing {
    #[default]
    Nothing,
    /// The header has no counts.
    Unknown,
    /// The header has nothing below it.
    All,
    /// Some lines. Models miscount, so this says little by itself.
    Lines,
    /// So many lines on each side or more, and not as many on one as on the other: not context alone. Where all other counts
    /// are right, the reply was probably cut off between two changes of the hunk.
    Change(usize),
    /// Some lines, and the hunk ends within a change, right below one, or where another change must follow: the reply was
    /// probably cut off.
    End,
}

/// What may be missing at the end of a hunk.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct End {
    pub missing: Missing,
    /// So many lines of context may be missing below the last: both counts are too high by this, one or two. Otherwise 0.
    pub trimmed: u32,
    /// Lines of one side only are missing: so many old ones, or 0 when they are new ones.
    pub short: Option<usize>,
    /// So many lines are missing on each side.
    pub lacks: (usize, usize),
}

pub(in super::super) struct HunkBody {
    pub hunk: Hunk,
    pub next: usize,
    /// The header's counts and the body agree; true without counts.
    pub is_exact: bool,
    pub end: End,
    /// The first context line without the blank before it.
    pub lost_blank: Option<usize>,
}

impl HunkBody {
    /// Nothing below the header is a change, and its counts are those of another hunk. One that breaks off at the end of the reply
    /// has fewer lines than it counts.
    pub fn has_lost_signs(&self, lines: &Lines) -> bool {
        let is_context = |line: &Line| matches!(line, Line::Context(_));
        let is_last = skip_blank(lines, self.next) == lines.len();
        let has_one_side = self.end.lacks.0 == 0 || self.end.lacks.1 == 0 || !is_last;
        !self.is_exact && has_one_side && !self.hunk.lines.is_empty() && self.hunk.lines.iter().all(is_context)
    }
}

/// Reads the body that begins at `at`. The counts decide where it ends only when they match the text exactly: then a line
/// such as `--- a/x` inside it is a removed `-- a/x`. Otherwise the text's structure decides.
///
/// In a git diff a file begins with `diff --git`: `is_git` says that `---` and `+++` lines inside the body are changes.
pub(in super::super) fn body(
    lines: &Lines,
    at: usize,
    header: Header,
    fence: Option<&Fence>,
    is_git: bool,
) -> HunkBody {
    if let Some(hunk) = header.counts.and_then(|counts| unsigned_file(lines, at, counts, fence)) {
        let next = at + hunk.lines.len();
        return HunkBody { hunk, next, is_exact: true, end: End::default(), lost_blank: None };
    }
    let counted = header.counts.and_then(|counts| end_by_counts(lines, at, counts, fence, is_git));
    let at_end = counted.unwrap_or_else(|| end_by_structure(lines, at, header.counts, fence));
    let mut lost_blank = None;
    // Lines without anything on them, by their index in the hunk.
    let mut bare = Vec::new();
    let mut hunk =
        Hunk { old_start: header.old_start, anchors: header.heading.into_iter().collect(), ..Hunk::default() };
    for (at, line) in (at..at_end).map(|at| (at, lines[at])) {
        let line = match line {
            [b'+', text @ ..] => Line::Add(text.to_vec()),
            [b'-', text @ ..] => Line::Remove(text.to_vec()),
            [b' ', text @ ..] => Line::Context(text.to_vec()),
            [b'\\', ..] if is_no_newline(line) => {
                mark_no_newline(&mut hunk);
                continue;
            }
            text => {
                lost_blank.get_or_insert(at);
                if blank(text) {
                    bare.push(hunk.lines.len());
                }
                Line::Context(text.to_vec())
            }
        };
        hunk.lines.push(line);
    }
    let is_regained =
        counted.is_none() && header.counts.is_some_and(|counts| regain_signs(&mut hunk.lines, &bare, counts));
    let (old, new) = header.counts.map_or((0, 0), |counts| uncounted(&hunk, counts));
    let missing = match header.counts {
        Some(_) if counted.is_some() || is_regained => Missing::Nothing,
        Some(_) => missing(&hunk, old, new),
        None => Missing::Unknown,
    };
    let is_marked = hunk.old_no_newline || hunk.new_no_newline;
    let end = End {
        missing,
        trimmed: if old == new && old <= 2 { old as u32 } else { 0 },
        short: ((old == 0) != (new == 0) && missing != Missing::Nothing && !is_marked).then_some(old),
        lacks: if missing == Missing::Nothing { (0, 0) } else { (old, new) },
    };
    let is_exact = header.counts.is_none() || counted.is_some() || is_regained;
    HunkBody { end, hunk, next: at_end, is_exact, lost_blank }
}

/// Gives empty lines among added or removed ones their sign back, if the counts come out with exactly these: `bare` are the lines
/// that have nothing on them. Whether they did.
pub(in super::super) fn regain_signs(lines: &mut [Line], bare: &[usize], (old, new): (u32, u32)) -> bool {
    let count = |side: fn(&Line) -> bool| lines.iter().filter(|line| side(line)).count();
    let more = |has: usize, counted: u32| has.checked_sub(counted as usize);
    let (lost, is_added) = match (more(count(Line::is_old), old), more(count(Line::is_new), new)) {
        (Some(lost), Some(0)) if lost > 0 => (lost, true),
        (Some(0), Some(lost)) if lost > 0 => (lost, false),
        _ => return false,
    };
    let has_sign = |line: Option<&Line>| match line {
        Some(Line::Add(_)) => is_added,
        Some(Line::Remove(_)) => !is_added,
        Some(Line::Context(_)) | None => false,
    };
    let is_text = |at: &usize| !bare.contains(at);
    let among: Vec<usize> = bare
        .iter()
        .copied()
        .filter(|at| {
            let above = (0..*at).rev().find(is_text).and_then(|at| lines.get(at));
            let below = (at + 1..lines.len()).find(is_text).and_then(|at| lines.get(at));
            has_sign(above) && has_sign(below)
        })
        .collect();
    if among.len() != lost {
        return false;
    }
    for at in among {
        lines[at] = if is_added { Line::Add(Vec::new()) } else { Line::Remove(Vec::new()) };
    }
    true
}

/// How many lines the header counts on each side that the hunk does not have.
fn uncounted(hunk: &Hunk, (old, new): (u32, u32)) -> (usize, usize) {
    let count = |side: fn(&Line) -> bool| hunk.lines.iter().filter(|line| side(line)).count();
    ((old as usize).saturating_sub(count(Line::is_old)), (new as usize).saturating_sub(count(Line::is_new)))
}

fn missing(hunk: &Hunk, old: usize, new: usize) -> Missing {
    let context = |line: &&Line| matches!(line, Line::Context(_));
    let leading = hunk.lines.iter().take_while(context).count();
    let trailing = hunk.lines.iter().rev().take_while(context).count();
    // A hunk ends in as much context as it begins with, unless the file ends there. At the file's beginning it has less of it above.
    let usual = if hunk.old_start.is_some_and(|line| line <= 1) { 3 } else { leading.min(3) };
    let in_the_middle = trailing < usual || leading == hunk.lines.len();
    match (old, new) {
        (0, 0) => Missing::Nothing,
        _ if leading == hunk.lines.len() => Missing::End,
        _ if hunk.old_no_newline || hunk.new_no_newline => Missing::Lines,
        // Between the two lines of a change, or far before the end of the hunk.
        _ if old == 0 && trailing == 0 && matches!(hunk.lines.last(), Some(Line::Remove(_))) => Missing::End,
        _ if old > 3 && new > 3 => Missing::End,
        // Models miscount the lines of new files by a few.
        _ if hunk.lines.iter().all(|line| matches!(line, Line::Add(_))) && new <= 3 => Missing::Lines,
        // Below a change, where context would have to follow.
        _ if leading > 0 && trailing == 0 => Missing::End,
        // Below more context than stands above: another change would have to follow.
        _ if old > 0 && new > 0 && trailing > leading.max(3) => Missing::End,
        _ if old > 0 && new > 0 && (trailing == 0 || in_the_middle) => Missing::End,
        _ if new > 2 && trailing == 0 => Missing::End,
        _ if old > 0 && new > 0 && old != new => Missing::Change(old.min(new)),
        _ => Missing::Lines,
    }
}

pub(in super::super) fn is_no_newline(line: &[u8]) -> bool {
    // Git accepts any words here, since `diff` translates them.
    line.starts_with(b"\\ ")
}

pub(in super::super) fn mark_no_newline(hunk: &mut Hunk) {
    match hunk.lines.last() {
        Some(Line::Remove(_)) => hunk.old_no_newline = true,
        Some(Line::Add(_)) => hunk.new_no_newline = true,
        Some(Line::Context(_)) => (hunk.old_no_newline, hunk.new_no_newline) = (true, true),
        None => {}
    }
}

/// The end of the body when the counts match and no line after it could belong to it.
fn end_by_counts(
    lines: &Lines,
    mut at: usize,
    (mut old, mut new): (u32, u32),
    fence: Option<&Fence>,
    is_git: bool,
) -> Option<usize> {
    // The last line with text has no sign: it may be prose.
    let mut is_open = false;
    while old > 0 || new > 0 {
        if !is_git && is_file_header(lines, at) {
            return None;
        }
        match lines.get(at)? {
            [b'+', ..] => (new, is_open) = (new.checked_sub(1)?, false),
            [b'-', ..] => (old, is_open) = (old.checked_sub(1)?, false),
            line if line.first() == Some(&b' ') || blank(line) => {
                (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?);
                is_open &= blank(line);
            }
            line if is_no_newline(line) => {}
            line if header(line).is_some() || section_starts(lines, at) => return None,
            line if fence.is_some_and(|fence| fence.closed_by(line)) => return None,
            // Context that lost its blank, if the counts come out with it and more of the hunk follows.
            _ => (old, new, is_open) = (old.checked_sub(1)?, new.checked_sub(1)?, true),
        }
        at += 1;
    }
    if is_open && !is_end(lines, at, fence) {
        return None;
    }
    if lines.get(at).is_some_and(|line| is_no_newline(line)) {
        at += 1;
    }
    // Outside a fence, the text after a blank line is prose, whatever it begins with; inside one the diff may go on.
    let after = if fence.is_some() { skip_blank(lines, at) } else { at };
    (!has_body_mark(lines, after) || section_starts(lines, after)).then_some(at)
}

/// Whether nothing but the next hunk, section or the end of the fence follows.
fn is_end(lines: &Lines, at: usize, fence: Option<&Fence>) -> bool {
    let after = skip_blank(lines, at);
    lines.get(after).is_none_or(|line| {
        header(line).is_some() || section_starts(lines, after) || fence.is_some_and(|fence| fence.closed_by(line))
    })
}

/// The hunk of a new file whose lines have no signs at all: its counts say that every line is added, and just as many stand below.
fn unsigned_file(lines: &Lines, at: usize, (old, new): (u32, u32), fence: Option<&Fence>) -> Option<Hunk> {
    let body = lines.get(at..at.checked_add(new as usize)?).filter(|_| old == 0)?;
    let is_other = |line: &&[u8]| {
        line.starts_with(b"+") || header(line).is_some() || fence.is_some_and(|fence| fence.closed_by(line))
    };
    let has_text = body.iter().any(|line| !blank(line));
    (has_text && !body.iter().any(is_other) && is_end(lines, at + body.len(), fence))
        .then(|| Hunk { lines: body.iter().map(|line| Line::Add(line.to_vec())).collect(), ..Hunk::default() })
}

/// Whether the lines are `--- a/x`, `+++ b/x` and a hunk's header: the next file, although the counts say otherwise. A removed
/// `-- a/x` above an added `++ b/x` at the end of a hunk is much rarer than a wrong count.
fn is_file_header(lines: &[&[u8]], at: usize) -> bool {
    let name = |at: usize, mark: &[u8], prefix: &[u8]| {
        let (name, _) = names::side(lines.get(at)?.strip_prefix(mark)?);
        match name {
            names::Name::Nothing => Some(None),
            names::Name::Path(path) => path.strip_prefix(prefix).map(|path| Some(path.to_vec())),
        }
    };
    let names = (name(at, b"--- ", b"a/"), name(at + 1, b"+++ ", b"b/"));
    let is_pair = match names {
        (Some(None), Some(Some(_))) | (Some(Some(_)), Some(None)) => true,
        (Some(Some(old)), Some(Some(new))) => old == new,
        _ => false,
    };
    is_pair && lines.get(at + 2).is_some_and(|line| header(line).is_some())
}

/// Whether the line has the mark of a hunk's body.
fn has_body_mark(lines: &[&[u8]], at: usize) -> bool {
    lines.get(at).is_some_and(|line| matches!(line.first(), Some(b'+' | b'-' | b' '))) && !signature(lines, at)
}

/// Whether the lines are the signature that `git format-patch` puts below the last hunk.
pub(in super::super) fn signature(lines: &[&[u8]], at: usize) -> bool {
    lines[at].trim_ascii_end() == b"--"
        && lines.get(at + 1).is_some_and(|next| next.first().is_some_and(u8::is_ascii_digit))
}

fn end_by_structure(lines: &Lines, start: usize, counts: Option<(u32, u32)>, fence: Option<&Fence>) -> usize {
    let (mut old, mut new) = (0, 0);
    let mut at = start;
    while at < lines.len() {
        let line = lines[at];
        let wanted = counts.is_some_and(|counts| old < counts.0 || new < counts.1);
        let next = skip_blank(lines, at);
        let goes_on = |at: usize| has_body_mark(lines, at) && !section_starts(lines, at);
        if header(line).is_some() || section_starts(lines, at) || signature(lines, at) {
            break;
        }
        match line {
            [b'+', ..] => new += 1,
            [b'-', ..] => old += 1,
            line if is_no_newline(line) => {}
            [b' ', ..] => (old, new) = (old + 1, new + 1),
            // An empty line belongs to the body when more of it follows.
            line if blank(line) && !goes_on(next) => break,
            line if blank(line) => (old, new) = (old + 1, new + 1),
            // A fence may be a context line that lost its blank, if the counts say so and more of the body follows.
            line if fence.is_some_and(|fence| fence.closed_by(line)) && !(wanted && goes_on(at + 1)) => break,
            _ if goes_on(at + 1) || (wanted && fence.is_some() && at + 1 < lines.len()) => {
                (old, new) = (old + 1, new + 1)
            }
            _ => break,
        }
        at += 1;
    }
    at
}
