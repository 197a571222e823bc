//! SEARCH/REPLACE blocks: aider's `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, and Cline's `------- SEARCH`, `=======`,
//! `+++++++ REPLACE`; each of five to nine marks. Older prompts say ORIGINAL and UPDATED. Roo Code puts a line number above the
//! text that is searched: `:start_line:12`, `-------`.
//!
//! Formats: aider.chat/docs/more/edit-formats.html, `diff` and `diff-fenced`; docs.cline.bot, `replace_in_file`.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::Notes;
use super::lines::{Lines, blank, indent, joined, malformed, quote, truncated};
use crate::fence::Fence;
use crate::limits::COMPARED_LINES;
use crate::numbered;
use guardhost_core::change::{Author, FileOp, FilePatch, Hunk, Line, NoPatch, RepoPath};

/// How many marks come before `word`, when the line is such a marker.
fn marks(line: &[u8], mark: u8, word: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let count = line.iter().take_while(|byte| **byte == mark).count();
    let rest = &line[count..];
    let named =
        if word.is_empty() { rest.is_empty() } else { rest.first() == Some(&b' ') && rest.trim_ascii() == word };
    ((5..=9).contains(&count) && named).then_some(count)
}

/// The line without its indentation. Some models write `<<<<<<< SEARCH>`.
fn opens(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b">").unwrap_or(line);
    marks(line, b'<', b"SEARCH").or_else(|| marks(line, b'<', b"ORIGINAL")).or_else(|| marks(line, b'-', b"SEARCH"))
}

pub(super) fn closes(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let plain = marks(line, b'>', b"REPLACE")
        .or_else(|| marks(line, b'>', b"UPDATED"))
        .or_else(|| marks(line, b'>', b"MODIFIED"));
    plain.or_else(|| marks(line.strip_suffix(b">").unwrap_or(line), b'+', b"REPLACE"))
}

pub(super) fn starts(lines: &[&[u8]], at: usize) -> bool {
    lines.get(at).is_some_and(|line| opens(line).is_some())
}

/// Why content in a fence is a block that lost a marker: it has one of them without the other.
pub(super) fn lost_marker(content: &[&[u8]]) -> Option<(usize, &'static str)> {
    let mut open = None;
    for (at, line) in content.iter().enumerate() {
        if closes(line).is_some() && open.take().is_none() {
            return Some((at, "this block has no <<<<<<< SEARCH line; send it again with all three markers"));
        }
        if opens(line).is_some() {
            open = Some(at);
        }
    }
    open.map(|at| (at, "this block has no >>>>>>> REPLACE line; send it again with all three markers"))
}

/// Reads the block that begins at `start`, and gives the line after it. `path` is the file that it is for.
pub(super) fn parse(
    lines: &Lines,
    start: usize,
    fence: Option<&Fence>,
    path: &RepoPath,
    notes: &mut Notes,
) -> Result<(FilePatch, usize), NoPatch> {
    let width = opens(lines[start]).unwrap_or_default();
    let Some(end) = (start + 1..lines.len()).find(|&at| closes(lines[at]).is_some() || opens(lines[at]).is_some())
    else {
        let is_closed = fence.is_some_and(|fence| lines[start..].iter().any(|line| fence.closed_by(line)));
        return Err(match is_closed {
            true => malformed(start, "the block has no >>>>>>> REPLACE line; send it again with all three markers"),
            false => truncated(start, "a SEARCH block has no >>>>>>> REPLACE"),
        });
    };
    if opens(lines[end]).is_some() {
        return Err(malformed(end, "a SEARCH block begins before the one above it has its >>>>>>> REPLACE"));
    }
    let margin = indent(lines[start]);
    let block: Vec<&[u8]> =
        lines[start + 1..end].iter().map(|line| line.strip_prefix(margin).unwrap_or(line)).collect();
    let divider = divider(&block, width).map_err(|why| malformed(start, why))?;
    let (number, search) = hinted(&block[..divider]);
    let replace = &block[divider + 1..];
    if search.is_empty() && replace.is_empty() {
        return Err(malformed(start, format_args!("the block for {} is empty", quote(path.as_bytes()))));
    }
    let op = if search.iter().all(|line| blank(line)) {
        notes.add("empty-search", format_args!("{path}: nothing to search for, taken as a new file"));
        FileOp::Create(joined(replace))
    } else {
        let hunk = unnumbered(search, replace, path, notes);
        FileOp::Modify(vec![Hunk { old_start: number.or(hunk.old_start), ..hunk }])
    };
    let written_by = Author::Model { says_whole: false };
    Ok((FilePatch { written_by, ..FilePatch::new(path.clone(), op) }, end + 1))
}

/// The lines that the block at `start` searches for; None where it has no divider.
pub(super) fn searched<'l, 'a>(lines: &'l [&'a [u8]], start: usize) -> Option<&'l [&'a [u8]]> {
    let width = lines.get(start).and_then(|line| opens(line))?;
    let end = (start + 1..lines.len()).find(|&at| closes(lines[at]).is_some())?;
    let block = &lines[start + 1..end];
    Some(hinted(&block[..divider(block, width).ok()?]).1)
}

/// The index of the `=======` in the lines between the outer markers.
fn divider(block: &[&[u8]], width: usize) -> Result<usize, &'static str> {
    let dividers: Vec<usize> = (0..block.len()).filter(|&at| marks(block[at], b'=', b"").is_some()).collect();
    // A heading underlined with `=` looks the same; then the divider is the only line as wide as the markers.
    let as_wide: Vec<usize> =
        dividers.iter().copied().filter(|&at| marks(block[at], b'=', b"") == Some(width)).collect();
    match (dividers.as_slice(), as_wide.as_slice()) {
        ([only], _) | (_, [only]) => Ok(*only),
        ([], _) => Err("the block has no ======= between SEARCH and REPLACE"),
        _ => Err("several lines could be the ======= of this block; use markers of another width, five to nine"),
    }
}

/// The line number above the text that is searched, and that text.
fn hinted<'s, 'a>(search: &'s [&'a [u8]]) -> (Option<u32>, &'s [&'a [u8]]) {
    let number = |line: &[u8]| -> Option<u32> {
        std::str::from_utf8(line.trim_ascii().strip_prefix(b":start_line:")?).ok()?.trim().parse().ok()
    };
    let Some(number) = search.first().and_then(|line| number(line)) else { return (None, search) };
    let is_end = |line: &&&[u8]| line.starts_with(b":end_line:");
    let from = if search.get(1).filter(is_end).is_some() { 2 } else { 1 };
    let is_rule = search.get(from).is_some_and(|line| line.trim_ascii_end() == b"-------");
    (Some(number), &search[from + usize::from(is_rule)..])
}

/// The hunk of both halves, without the numbers before their lines.
pub(super) fn unnumbered(search: &[&[u8]], replace: &[&[u8]], path: &RepoPath, notes: &mut Notes) -> Hunk {
    let Some((first, search)) = numbered::strip(search) else { return hunk(search, replace) };
    notes.add("line-numbers", format_args!("{path}: the lines were quoted with their numbers"));
    let replace = numbered::strip(replace).map_or(replace.to_vec(), |(_, replace)| replace);
    Hunk { old_start: Some(first), ..hunk(&search, &replace) }
}

/// Lines that both sides share are context, so that only changed lines are removed and added.
pub(super) fn hunk(search: &[&[u8]], replace: &[&[u8]]) -> Hunk {
    let same = |pair: &(&&[u8], &&[u8])| pair.0 == pair.1;
    let head = search.iter().zip(replace).take_while(same).count();
    let tail = search[head..].iter().rev().zip(replace[head..].iter().rev()).take_while(same).count();
    let (old, new) = (&search[head..search.len() - tail], &replace[head..replace.len() - tail]);
    let context = |lines: &[&[u8]]| lines.iter().map(|line| Line::Context(line.to_vec())).collect::<Vec<_>>();
    let change = |old: &[&[u8]], new: &[&[u8]]| {
        let removed = old.iter().map(|line| Line::Remove(line.to_vec()));
        removed.chain(new.iter().map(|line| Line::Add(line.to_vec()))).collect::<Vec<_>>()
    };
    let mut lines = context(&search[..head]);
    if old.len().saturating_mul(new.len()) > COMPARED_LINES {
        lines.extend(change(old, new));
    } else {
        for part in capture_diff_slices(Algorithm::Myers, old, new) {
            let (tag, old_lines, new_lines) = part.as_tag_tuple();
            lines.extend(match tag {
                DiffTag::Equal => context(&old[old_lines]),
                DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => change(&old[old_lines], &new[new_lines]),
            });
        }
    }
    lines.extend(context(&search[search.len() - tail..]));
    Hunk { lines, ..Hunk::default() }
}
