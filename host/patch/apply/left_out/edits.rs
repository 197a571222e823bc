//! Hunks in which a line stands for others.

use std::collections::HashMap;

use super::everywhere;
use super::gap::{Gap, GapText};
use super::placeholder::{Shape, shape, shape_in};
use super::text::{self, TextKind};
use super::{BaseFile, Checked, known, lines_of};
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, Hunk, Line, PatchFormat};
use guardhost_core::error::Result;

/// Lines around a placeholder among which its neighbours are looked for.
const NEAR: usize = 5;

/// Bytes of a file that are searched for the texts of all edits. Above that, edits are placed by whole lines only.
const SEARCHED: usize = 1 << 30;

/// A line that occurs more often does not identify a place.
const OCCURRENCES: usize = 1000;

const ADDED: &str = "is added where lines are left out, and would be written into the file. Write the lines themselves, or \
                     leave that part of the file alone.";

const INSTEAD: &str = "is a short remark alone in place of code: it may stand for that code. If the code is to stay, leave it out of \
                       the edit; if it is to go, say why in a sentence.";

/// Words of a remark that may stand for the code in whose place it is. Of 38,946 changes in six repositories 6 put one comment of so many
/// words in the place of code, and 68 any comments.
const SHORT: usize = 6;

/// The hunks of an operation that edits.
pub(super) fn hunks(op: &FileOp) -> Option<&[Hunk]> {
    match op {
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => Some(hunks),
        FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => None,
    }
}

/// Whether the old lines of the last hunk, and `more` below them, are the last lines of the file, or it says so.
pub(super) fn ends_the_file(hunks: &[Hunk], base: &BaseFile, more: usize) -> Result<bool> {
    let (Some(last), Some(text)) = (hunks.last(), base.text()?) else { return Ok(true) };
    let old = last.lines.iter().filter(|line| line.is_old()).map(|line| line.bytes().trim_ascii_end());
    let old: Vec<&[u8]> = old.collect();
    let mut file: Vec<&[u8]> = lines_of(&text).into_iter().map(|line| line.trim_ascii_end()).collect();
    file.truncate(file.len().saturating_sub(more));
    Ok(last.at_end || last.old_no_newline || last.new_no_newline || file.ends_with(&old))
}

pub(super) fn checked(hunks: &[Hunk], format: PatchFormat, base: &BaseFile) -> Result<Checked> {
    let is_suspect = |hunk: &Hunk| {
        hunk.lines.iter().any(|line| shape_in(line.bytes(), true).is_some())
            || instead_of_code(hunk, TextKind::Other).is_some()
    };
    let is_text_edit = format == PatchFormat::StrReplace;
    if !is_text_edit && !hunks.iter().any(is_suspect) {
        return Ok(Checked::Kept);
    }
    let Some(text) = base.text()? else { return Ok(Checked::Kept) };
    let file = lines_of(&text);
    let known = known(&file);
    let is_new = |line: &[u8]| !known.contains(line.trim_ascii());
    let is_ascii = text.is_ascii();
    let kind = text::from_path(base.path(), &file);
    let mut resolved: Vec<Hunk> = Vec::new();
    let mut is_changed = false;
    for (number, hunk) in (1..).zip(hunks) {
        base.watch.checkpoint();
        let is_quoted = |line: &Line| is_placeholder(line.bytes()) && is_new(line.bytes());
        if let Some(line) = hunk.lines.iter().find(|line| line.is_old() && is_quoted(line)) {
            match pieces(hunk, &file, &is_quoted) {
                Ok(pieces) => resolved.extend(pieces),
                Err(why) => return Ok(Checked::left_out(Some(number), line.bytes(), why)),
            }
            is_changed = true;
            continue;
        }
        if let Some(line) = added(hunk, &is_new, is_ascii, kind) {
            return Ok(Checked::left_out(Some(number), line, ADDED));
        }
        if let Some(line) = instead_of_code(hunk, kind) {
            return Ok(Checked::left_out(Some(number), line, INSTEAD));
        }
        if hunk.is_everywhere {
            if everywhere::is_written_by_others(hunk, hunks) {
                let old = hunk.lines.iter().find(|line| line.is_old()).map_or(&b""[..], Line::bytes);
                return Ok(Checked::left_out(Some(number), old, everywhere::WRITTEN_BY_OTHERS));
            }
            match everywhere::hunks(hunk, &text) {
                Ok(Some(all)) => {
                    is_changed = true;
                    resolved.extend(all);
                    continue;
                }
                Ok(None) => {}
                Err(message) => return Ok(Checked::Misfit { hunk: Some(number), code: "too-large", message }),
            }
        }
        let is_searched = is_text_edit && hunks.len().saturating_mul(text.len()) <= SEARCHED;
        match is_searched.then(|| whole_lines(hunk, &text)).flatten() {
            Some(whole) => {
                is_changed = true;
                resolved.push(whole);
            }
            None => resolved.push(hunk.clone()),
        }
    }
    Ok(match (is_changed, is_text_edit) {
        (false, _) => Checked::Kept,
        (true, true) => Checked::Changed(
            FileOp::Modify(resolved),
            match hunks.iter().any(|hunk| hunk.is_everywhere) {
                true => ("text-edit", "every place of the text was found, and its lines were completed"),
                false => ("text-edit", "the text was found once, and its lines were completed"),
            },
        ),
        (true, false) => Checked::Changed(
            FileOp::Modify(resolved),
            ("elided-context", "`...` stands for lines between two places that occur once"),
        ),
    })
}

/// Whether a quoted line may stand for others: it has dots.
fn is_placeholder(line: &[u8]) -> bool {
    match shape(line) {
        Some(Shape::Dots | Shape::CommentDots) => true,
        Some(Shape::Phrase | Shape::Hint) => line.windows(3).any(|three| three == b"..." || three == "…".as_bytes()),
        Some(Shape::Words | Shape::Remark | Shape::Promise | Shape::Stub) | None => false,
    }
}

/// The first added line that stands for lines of the file.
fn added<'h>(hunk: &'h Hunk, is_new: &dyn Fn(&[u8]) -> bool, is_ascii: bool, kind: TextKind) -> Option<&'h [u8]> {
    let is_text = |line: &Line| !line.bytes().trim_ascii().is_empty();
    let mut from = 0;
    // Each change: from the context above it to the context below.
    for change in hunk.lines.split_inclusive(|line| matches!(line, Line::Context(_))) {
        let removed = change.iter().filter(|line| matches!(line, Line::Remove(_)) && is_text(line)).count();
        let is_instead = change.iter().any(|line| matches!(line, Line::Remove(_)));
        let is_code =
            |line: &&Line| matches!(line, Line::Add(_)) && is_text(line) && shape_in(line.bytes(), is_ascii).is_none();
        let added = change.iter().filter(is_code).count();
        for (at, line) in (from..).zip(change) {
            let Line::Add(bytes) = line else { continue };
            // In YAML that is the end of a document, elsewhere it may be data.
            let is_data = kind == TextKind::Data && bytes == b"...";
            // The dots of a line that replaces one with the same are code: the continuation of an example, the spread of a list.
            let has_partner = || {
                change.iter().any(|line| match line {
                    Line::Remove(old) => dots(old).is_some() && dots(old) == dots(bytes),
                    Line::Add(_) | Line::Context(_) => false,
                })
            };
            let Some(shape) = shape_in(bytes, is_ascii).filter(|_| is_new(bytes) && !is_data && !has_partner()) else {
                continue;
            };
            // A remark in place of a remark promises nothing that was there.
            let is_remark = |line: &Line| !matches!(line, Line::Remove(old) if !text::has_comment_mark(old));
            if shape == Shape::Promise && change.iter().all(is_remark) {
                continue;
            }
            let new = |line: &&Line| line.is_new() && is_text(line);
            let above =
                hunk.lines[..at].iter().rev().filter(|line| line.is_new()).take(NEAR).find(new).map(Line::bytes);
            let below = hunk.lines[at + 1..].iter().filter(|line| line.is_new()).take(NEAR).find(new).map(Line::bytes);
            let is_example =
                text::is_example(hunk.lines[..at].iter().rev().filter(|line| line.is_new()).map(Line::bytes));
            let gap =
                Gap { shape, line: bytes, above, below, is_example, removed, added, is_instead, text: GapText::Edit };
            if gap.is_elision(kind) {
                return Some(bytes);
            }
        }
        from += change.len();
    }
    None
}

/// A short comment that a change puts alone in the place of lines of code, in whatever words: `// (same as now)`. One that has the code
/// itself, or that another comment makes room for, stands for nothing.
fn instead_of_code(hunk: &Hunk, kind: TextKind) -> Option<&[u8]> {
    const MARKS: [&[u8]; 5] = [b"# ", b"// ", b"/* ", b"-- ", b"<!-- "];
    let is_text = |line: &&Line| !line.bytes().trim_ascii().is_empty();
    let is_comment = |line: &[u8]| MARKS.iter().any(|mark| line.trim_ascii().starts_with(mark));
    let in_change = |change: &'_ [Line]| -> Option<usize> {
        let mut new = change.iter().enumerate().filter(|(_, line)| matches!(line, Line::Add(_)) && is_text(line));
        let ((at, added), None) = (new.next()?, new.next()) else { return None };
        let mut removed = change.iter().filter(|line| matches!(line, Line::Remove(_)) && is_text(line)).peekable();
        let words = added.bytes().split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).count();
        let is_kept = |old: &Line| is_comment(old.bytes()) || added.bytes().contains_str(old.bytes().trim_ascii());
        let is_alone = is_comment(added.bytes()) && removed.peek().is_some() && !removed.any(is_kept);
        (is_alone && words <= SHORT).then_some(at)
    };
    if kind == TextKind::Prose {
        return None;
    }
    let mut changes = hunk.lines.split(|line| matches!(line, Line::Context(_)));
    changes.find_map(|change| Some(change[in_change(change)?].bytes()))
}

/// The margin, with the dots that code stands behind in the line.
fn dots(line: &[u8]) -> Option<&[u8]> {
    let at = line.windows(4).position(|four| four == b"... ")?;
    line[..at].trim_ascii().is_empty().then(|| &line[..at + 4])
}

/// The parts of a block between its `...` lines, as hunks: aider's rule, with the line number that each part has if its lines
/// occur once, in the order of the block.
fn pieces(hunk: &Hunk, file: &[&[u8]], is_quoted: &dyn Fn(&Line) -> bool) -> Result<Vec<Hunk>, &'static str> {
    let is_elision = |line: &Line| matches!(line, Line::Context(_)) && is_quoted(line);
    if hunk.lines.iter().any(|line| is_quoted(line) && !is_elision(line)) {
        return Err("stands on only one side of the change, so it cannot stand for lines. Quote the lines themselves.");
    }
    let mut by_text: HashMap<&[u8], Vec<usize>> = HashMap::new();
    file.iter().enumerate().for_each(|(at, line)| by_text.entry(line.trim_ascii_end()).or_default().push(at));
    let mut found = Vec::new();
    let mut from = 0;
    for lines in hunk.lines.split(is_elision).filter(|lines| !lines.is_empty()) {
        let old: Vec<&[u8]> =
            lines.iter().filter(|line| line.is_old()).map(|line| line.bytes().trim_ascii_end()).collect();
        if old.iter().all(|line| line.is_empty()) {
            return Err(
                "has no line of the file beside it, so it is unclear where it ends. Quote a line on both sides.",
            );
        }
        let Some(at) = only_place(file, &by_text, &old) else {
            return Err(
                "can stand for lines only between lines that occur once in the file. Quote more lines on both sides.",
            );
        };
        if at < from {
            return Err("stands between lines that are in another order in the file. Send a block for each place.");
        }
        from = at + old.len();
        if lines.iter().any(|line| !matches!(line, Line::Context(_))) {
            found.push(Hunk { old_start: u32::try_from(at + 1).ok(), lines: lines.to_vec(), ..Hunk::default() });
        }
    }
    Ok(found)
}

/// Where `old` stands in the file, white space at line ends aside, if it stands there once.
fn only_place(file: &[&[u8]], by_text: &HashMap<&[u8], Vec<usize>>, old: &[&[u8]]) -> Option<usize> {
    let texts = old.iter().enumerate().filter(|(_, line)| !line.is_empty());
    let of = |line: &[u8]| by_text.get(line).map_or(&[][..], Vec::as_slice);
    let (offset, rarest) = texts.map(|(offset, line)| (offset, of(line))).min_by_key(|(_, places)| places.len())?;
    if rarest.len() > OCCURRENCES {
        return None;
    }
    let fits = |at: &usize| {
        file.get(*at..*at + old.len())
            .is_some_and(|lines| lines.iter().zip(old).all(|(file, old)| file.trim_ascii_end() == *old))
    };
    let mut places = rarest.iter().filter_map(|at| at.checked_sub(offset)).filter(fits);
    places.next().filter(|_| places.next().is_none())
}

/// The hunk with the parts of lines around its text, if that stands once in the file and not on whole lines: an editing tool
/// replaces text, not lines.
fn whole_lines(hunk: &Hunk, text: &[u8]) -> Option<Hunk> {
    let side = |is_side: fn(&Line) -> bool| -> Vec<u8> {
        hunk.lines.iter().filter(|line| is_side(line)).map(Line::bytes).collect::<Vec<_>>().join(&b'\n')
    };
    let (old, new) = (side(Line::is_old), side(Line::is_new));
    let mut places = bstr::ByteSlice::find_iter(text, &old);
    let (Some(start), None) = (places.next(), places.next()) else { return None };
    let end = start + old.len();
    let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_end = text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| end + at);
    let (before, after) = (&text[line_start..start], &text[end..line_end]);
    let removes_lines = !hunk.lines.iter().any(Line::is_new);
    if hunk.ends_line && (!matches!(after, b"" | b"\r") || removes_lines && !before.is_empty()) {
        return None;
    }
    if before.is_empty() && after.strip_suffix(b"\r").unwrap_or(after).is_empty() {
        return None;
    }
    let lines = |text: &[u8], line: fn(Vec<u8>) -> Line| -> Vec<Line> {
        text.split(|byte| *byte == b'\n').map(|text| line(text.strip_suffix(b"\r").unwrap_or(text).to_vec())).collect()
    };
    let removed = lines(&[before, &old, after].concat(), Line::Remove);
    let added = lines(&[before, &new, after].concat(), Line::Add);
    let number = text[..line_start].iter().filter(|byte| **byte == b'\n').count() + 1;
    Some(Hunk { old_start: u32::try_from(number).ok(), lines: [removed, added].concat(), ..Hunk::default() })
}
