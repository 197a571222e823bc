//! aider's SEARCH/REPLACE blocks: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, each of five to nine marks.
//!
//! Format: aider.chat/docs/more/edit-formats.html, formats `diff` and `diff-fenced`.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::Notes;
use super::lines::{Lines, blank, malformed, quote, truncated};
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, NoPatch, RepoPath};

/// How many marks come before `word`, when the line is such a marker.
fn marks(line: &[u8], mark: u8, word: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let count = line.iter().take_while(|byte| **byte == mark).count();
    let rest = &line[count..];
    let named =
        if word.is_empty() { rest.is_empty() } else { rest.first() == Some(&b' ') && rest.trim_ascii() == word };
    ((5..=9).contains(&count) && named).then_some(count)
}

fn opens(line: &[u8]) -> Option<usize> {
    // Some models write `<<<<<<< SEARCH>`.
    marks(line.trim_ascii_end().strip_suffix(b">").unwrap_or(line), b'<', b"SEARCH")
}

pub(super) fn starts(lines: &Lines, at: usize) -> bool {
    lines.get(at).is_some_and(|line| opens(line).is_some())
}

/// Reads the block that begins at `start`, and gives the line after it. `path` is the file that it is for.
pub(super) fn parse(
    lines: &Lines,
    start: usize,
    path: &RepoPath,
    notes: &mut Notes,
) -> Result<(FilePatch, usize), NoPatch> {
    let width = opens(lines[start]).unwrap_or_default();
    let end = (start + 1..lines.len())
        .find(|&at| marks(lines[at], b'>', b"REPLACE").is_some() || opens(lines[at]).is_some())
        .ok_or_else(|| truncated(start, "a SEARCH block has no >>>>>>> REPLACE"))?;
    if opens(lines[end]).is_some() {
        return Err(malformed(end, "a SEARCH block begins before the one above it has its >>>>>>> REPLACE"));
    }
    let dividers: Vec<usize> = (start + 1..end).filter(|&at| marks(lines[at], b'=', b"").is_some()).collect();
    // A heading underlined with `=` looks the same; then the divider is the only line as wide as the markers.
    let as_wide: Vec<usize> =
        dividers.iter().copied().filter(|&at| marks(lines[at], b'=', b"") == Some(width)).collect();
    let divider = match (dividers.as_slice(), as_wide.as_slice()) {
        ([only], _) | (_, [only]) => *only,
        ([], _) => return Err(malformed(start, "the block has no ======= between SEARCH and REPLACE")),
        _ => {
            let why = "several lines could be the ======= of this block; use markers of another width, five to nine";
            return Err(malformed(start, why));
        }
    };
    let (search, replace) = (&lines[start + 1..divider], &lines[divider + 1..end]);
    let op = if search.iter().all(|line| blank(line)) {
        notes.add("empty-search", format_args!("{path}: nothing to search for, taken as a new file"));
        FileOp::Create(replace.iter().flat_map(|line| [*line, b"\n"].concat()).collect())
    } else {
        FileOp::Modify(vec![hunk(search, replace)])
    };
    if search.is_empty() && replace.is_empty() {
        return Err(malformed(start, format_args!("the block for {} is empty", quote(path.as_bytes()))));
    }
    Ok((FilePatch::new(path.clone(), op), end + 1))
}

/// Lines that both sides share are context, so that only changed lines are removed and added.
fn hunk(search: &[&[u8]], replace: &[&[u8]]) -> Hunk {
    let mut lines = Vec::with_capacity(search.len() + replace.len());
    for part in capture_diff_slices(Algorithm::Myers, search, replace) {
        let (tag, old, new) = part.as_tag_tuple();
        let old = search[old].iter().map(|line| line.to_vec());
        let new = replace[new].iter().map(|line| line.to_vec());
        match tag {
            DiffTag::Equal => lines.extend(old.map(Line::Context)),
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                lines.extend(old.map(Line::Remove));
                lines.extend(new.map(Line::Add));
            }
        }
    }
    Hunk { lines, ..Hunk::default() }
}
