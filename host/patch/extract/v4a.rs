//! V4A, the format of `apply_patch`: `*** Begin Patch` … `*** End Patch`.
//!
//! Format: the grammar in Codex's `apply-patch` crate and OpenAI's GPT-4.1 prompting guide. Markers may be padded, as there.

use super::Notes;
use super::lines::{Lines, blank, joined, malformed, quote, skip_blank, truncated};
use super::unified::{header, is_no_newline, mark_no_newline};
use crate::fence::Fence;
use guardhost_core::change::{Author, FileOp, FilePatch, Hunk, Line, NoPatch, RepoPath};

/// One line that is not content.
enum Mark<'a> {
    Begin,
    End,
    EndOfFile,
    Add(&'a [u8]),
    Delete(&'a [u8]),
    Update(&'a [u8]),
    MoveTo(&'a [u8]),
}

/// A line of a hunk's body begins with a blank, `+` or `-`, so a marker has no mark before it. It may be padded where no line
/// of a body can be meant.
fn mark(line: &[u8]) -> Option<Mark<'_>> {
    let text = line.trim_ascii();
    let text = text.strip_prefix(b"*** ")?;
    let path = |key: &[u8]| text.strip_prefix(key).map(|path| path.trim_ascii());
    Some(match text {
        b"Begin Patch" => Mark::Begin,
        b"End Patch" => Mark::End,
        b"End of File" => Mark::EndOfFile,
        _ => {
            return path(b"Add File:")
                .map(Mark::Add)
                .or_else(|| path(b"Delete File:").map(Mark::Delete))
                .or_else(|| path(b"Update File:").map(Mark::Update))
                .or_else(|| path(b"Move to:").map(Mark::MoveTo));
        }
    })
}

pub(super) fn starts(lines: &Lines, at: usize) -> bool {
    matches!(
        lines.get(at).and_then(|line| mark(line)),
        Some(Mark::Begin | Mark::Add(_) | Mark::Delete(_) | Mark::Update(_))
    )
}

/// Reads the envelope that begins at `start`: its sections, and the line after it.
pub(super) fn parse(
    lines: &Lines,
    start: usize,
    fence: Option<&Fence>,
    notes: &mut Notes,
) -> Result<(Vec<FilePatch>, usize), NoPatch> {
    let begun = matches!(mark(lines[start]), Some(Mark::Begin));
    if !begun {
        notes.add("no-begin", "*** Begin Patch is missing");
    }
    let mut at = if begun { start + 1 } else { start };
    let padded_end = if begun { padded_end(lines, at) } else { None };
    let mut files = Vec::new();
    loop {
        at = skip_blank(lines, at);
        let Some(line) = lines.get(at) else {
            return Err(truncated(start, "*** End Patch is missing"));
        };
        match mark(line) {
            Some(Mark::End) => {
                at += 1;
                break;
            }
            Some(Mark::Add(path)) => {
                let (content, next) = added(lines, at + 1, path, notes)?;
                files.push(file(path, FileOp::Create(content)));
                at = next;
            }
            Some(Mark::Delete(path)) => {
                files.push(file(path, FileOp::Delete(Vec::new())));
                at += 1;
            }
            Some(Mark::Update(path)) => {
                let (update, next) = updated(lines, at, path, fence, padded_end)?;
                files.push(update);
                at = next;
            }
            // A fence that is closed is an envelope too.
            _ if fence.is_some_and(|fence| fence.closed_by(line)) => {
                if begun {
                    notes.add("no-end", "*** End Patch is missing");
                }
                break;
            }
            _ => return Err(malformed(at, format_args!("{} is no part of a *** Begin Patch envelope", quote(line)))),
        }
    }
    if files.is_empty() {
        return Err(malformed(start, "there is no section between *** Begin Patch and *** End Patch"));
    }
    Ok((files, at))
}

fn file(path: &[u8], op: FileOp) -> FilePatch {
    FilePatch { written_by: Author::Model { says_whole: false }, ..FilePatch::new(RepoPath::new(path), op) }
}

fn added(lines: &Lines, mut at: usize, path: &[u8], notes: &mut Notes) -> Result<(Vec<u8>, usize), NoPatch> {
    if let Some((content, next)) = unsigned(lines, at) {
        notes.add("lost-plus", format_args!("{}: no line of the new file has a + before it", quote(path)));
        return Ok((content, next));
    }
    let mut content = Vec::new();
    let mut open = true;
    while let Some(line) = lines.get(at).filter(|line| mark(line).is_none() && open) {
        match line {
            [b'+', text @ ..] => {
                content.extend_from_slice(text);
                content.push(b'\n');
            }
            line if is_no_newline(line) => {
                content.pop();
            }
            // Between two added lines it can only be an empty line that lost its mark.
            line if blank(line) && lines.get(skip_blank(lines, at)).is_some_and(|next| next.starts_with(b"+")) => {
                notes.add("lost-plus", format_args!("{}: an empty line has no + before it", quote(path)));
                content.push(b'\n');
            }
            line if blank(line) => open = false,
            line => {
                let why =
                    format_args!("{} is new, so every line of it must begin with `+`: {}", quote(path), quote(line));
                return Err(malformed(at, why));
            }
        }
        at += 1;
    }
    Ok((content, at))
}

/// The text of a new file of which no line has its sign, up to the next section or the end of the envelope, which has to come.
fn unsigned(lines: &Lines, from: usize) -> Option<(Vec<u8>, usize)> {
    let end = (from..lines.len()).find(|&at| mark(lines[at]).is_some())?;
    let text = &lines[from..end];
    let is_text = |line: &[u8]| !blank(line) && !matches!(line.first(), Some(b' ' | b'-' | b'@' | b'`'));
    let is_signed = |line: &&[u8]| line.starts_with(b"+");
    if !is_text(text.first()?) || text.iter().any(is_signed) || !lines.spend(text.len()) {
        return None;
    }
    let last = text.iter().rposition(|line| !blank(line))?;
    Some((joined(&text[..=last]), end))
}

/// The line of a padded `*** End Patch`, where the envelope has no other end: it is no context line then.
fn padded_end(lines: &Lines, from: usize) -> Option<usize> {
    let mut padded = None;
    for at in from..lines.len() {
        match mark(lines[at]) {
            Some(Mark::Begin) => break,
            Some(Mark::End) if lines[at].starts_with(b" ") => padded = Some(at),
            Some(Mark::End) => return None,
            _ => {}
        }
    }
    padded
}

fn updated(
    lines: &Lines,
    start: usize,
    path: &[u8],
    fence: Option<&Fence>,
    padded_end: Option<usize>,
) -> Result<(FilePatch, usize), NoPatch> {
    let mut at = start + 1;
    let mut target = None;
    if let Some(Mark::MoveTo(to)) = lines.get(at).and_then(|line| mark(line)) {
        target = Some(to);
        at += 1;
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut hunk = Hunk::default();
    while let Some(&line) = lines.get(at) {
        match mark(line) {
            // After a blank it may be a context line: a document about this format.
            Some(_) if line.starts_with(b" ") && !hunk.lines.is_empty() && padded_end != Some(at) => {}
            Some(Mark::EndOfFile) => {
                hunk.at_end = true;
                close(&mut hunk, &mut hunks);
                at += 1;
                continue;
            }
            Some(_) => break,
            None => {}
        }
        if let Some(header) = header(line) {
            close(&mut hunk, &mut hunks);
            hunk.old_start = header.old_start.or(hunk.old_start);
            hunk.anchors.extend(header.heading);
            at += 1;
            continue;
        }
        match line {
            [b'+', text @ ..] => hunk.lines.push(Line::Add(text.to_vec())),
            [b'-', text @ ..] => hunk.lines.push(Line::Remove(text.to_vec())),
            [b' ', text @ ..] => hunk.lines.push(Line::Context(text.to_vec())),
            line if is_no_newline(line) => mark_no_newline(&mut hunk),
            line if blank(line) => {
                let next = skip_blank(lines, at);
                // After the last line of a hunk, blank lines only separate the sections.
                match lines.get(next) {
                    Some(next) if mark(next).is_none() && header(next).is_none() => {
                        hunk.lines.push(Line::Context(line.to_vec()))
                    }
                    _ => at = next - 1,
                }
            }
            line if fence.is_some_and(|fence| fence.closed_by(line)) => break,
            line => {
                let why = format_args!("{} must begin with a blank, `-` or `+`, or be `@@ …`", quote(line));
                return Err(malformed(at, why));
            }
        }
        at += 1;
    }
    close(&mut hunk, &mut hunks);
    match target {
        Some(to) => Ok((file(to, FileOp::Rename { from: RepoPath::new(path), hunks }), at)),
        None if hunks.is_empty() => {
            Err(malformed(start, format_args!("the section for {} changes nothing", quote(path))))
        }
        None => Ok((file(path, FileOp::Modify(hunks)), at)),
    }
}

/// Ends a hunk that has lines. One with anchors alone stays open: several `@@` lines narrow down one position.
fn close(hunk: &mut Hunk, hunks: &mut Vec<Hunk>) {
    if !hunk.lines.is_empty() {
        hunks.push(std::mem::take(hunk));
    }
}
