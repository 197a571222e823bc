//! The output of `diff` without options: `3c3`, `< old`, `---`, `> new`. It names no file, so it counts only below the name of one, or
//! below the command that compares one.

use super::lines::{Lines, blank, skip_blank};
use super::unified;
use crate::fence::Fence;
use guardhost_core::change::{Hunk, Line, RepoPath};

/// The first old line of `5,7c5`; `5a6` adds below line 5.
fn command(line: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(line.trim_ascii_end()).ok()?;
    let kind = text.find(['a', 'c', 'd'])?;
    let number = |range: &str| -> Option<u32> {
        let (first, last) = range.split_once(',').unwrap_or((range, range));
        let _: u32 = last.parse().ok()?;
        first.parse().ok()
    };
    number(&text[kind + 1..])?;
    number(&text[..kind])
}

/// The file that a command compares, right above the fence or in its first line; and whether that line is the command.
pub(super) fn compared(lines: &Lines, fence: &Fence, hints: &[RepoPath]) -> (Option<RepoPath>, bool) {
    let first = skip_blank(lines, fence.at + 1);
    if let Some(path) = lines.get(first).and_then(|line| unified::compared_by(line, hints)) {
        return (Some(path), true);
    }
    let above = (0..fence.at).rev().take(2).find(|at| !blank(lines[*at]));
    (above.and_then(|above| unified::compared_by(lines[above], hints)), false)
}

/// The hunks of the text; None when a line of it is no part of such a diff.
pub(super) fn hunks(lines: &[&[u8]]) -> Option<Vec<Hunk>> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim_ascii().is_empty()) {
        if let Some(start) = command(line) {
            hunks.push(Hunk { old_start: Some(start), ..Hunk::default() });
            continue;
        }
        let hunk = hunks.last_mut()?;
        match *line {
            [b'<', b' ', text @ ..] => hunk.lines.push(Line::Remove(text.to_vec())),
            [b'>', b' ', text @ ..] => hunk.lines.push(Line::Add(text.to_vec())),
            b"<" => hunk.lines.push(Line::Remove(Vec::new())),
            b">" => hunk.lines.push(Line::Add(Vec::new())),
            b"---" => {}
            [b'\\', b' ', ..] => match hunk.lines.last()? {
                Line::Remove(_) => hunk.old_no_newline = true,
                Line::Add(_) | Line::Context(_) => hunk.new_no_newline = true,
            },
            _ => return None,
        }
    }
    let is_whole = |hunk: &Hunk| !hunk.lines.is_empty();
    (!hunks.is_empty() && hunks.iter().all(is_whole)).then_some(hunks)
}
