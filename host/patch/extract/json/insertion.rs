//! The place of an `insert`: a call names it by the number of a line alone. The beginning and the end of the file need no more; of any
//! other place the words above the call may quote the line.

use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line};
use guardhost_core::error::Result;

use super::super::account::Surroundings;
use super::super::lines::{Lines, blank};

/// Lines above a call that are about it.
const REACH: usize = 3;

/// Gives each `insert` among the edits of the call at `at` the line that it stands below, or above at the beginning: that of an edge of
/// the file, or one that the words above the call quote and the file has once, where the number says. The message says what is missing.
pub(crate) fn placed(
    edits: &mut [FilePatch],
    lines: &Lines,
    at: usize,
    files: &Surroundings,
) -> Result<Option<String>> {
    for edit in edits {
        let FileOp::Modify(hunks) = &mut edit.op else { continue };
        for hunk in hunks.iter_mut().filter(|hunk| is_insert(hunk)) {
            let number = hunk.old_start.unwrap_or_default() as usize;
            let text = files.content(&edit.path)?;
            if let Some(edge) = text.as_deref().and_then(|text| Edge::of(text, number)) {
                edge.place(hunk);
                continue;
            }
            let line = text.as_deref().and_then(|text| quoted(text, number, lines, at));
            let Some(line) = line else {
                return Ok(Some(format!(
                    "`insert` names a place of {} by its line number alone; send a `str_replace` with the lines around it, or quote \
                     line {number} in backticks above the call",
                    edit.path
                )));
            };
            hunk.lines.insert(0, Line::Context(line.to_vec()));
        }
    }
    Ok(None)
}

/// The beginning or the end of a file that has lines, which a number names whatever the lines between are: with the first or the last
/// one.
enum Edge<'t> {
    Beginning(&'t [u8]),
    End(&'t [u8]),
}

impl<'t> Edge<'t> {
    fn of(text: &'t [u8], number: usize) -> Option<Self> {
        match number {
            0 => text.lines().next().map(Edge::Beginning),
            _ => text.lines().next_back().filter(|_| line_count(text) == number).map(Edge::End),
        }
    }

    fn place(self, hunk: &mut Hunk) {
        match self {
            Edge::Beginning(line) => {
                hunk.old_start = Some(1);
                hunk.lines.push(Line::Context(line.to_vec()));
            }
            Edge::End(line) => {
                hunk.at_end = true;
                hunk.lines.insert(0, Line::Context(line.to_vec()));
            }
        }
    }
}

/// How many lines the text has. A reply may name the end of a long file again and again.
fn line_count(text: &[u8]) -> usize {
    let ends = text.iter().filter(|byte| **byte == b'\n').count();
    ends + usize::from(!text.is_empty() && !text.ends_with(b"\n"))
}

fn is_insert(hunk: &Hunk) -> bool {
    hunk.old_start.is_some() && hunk.lines.iter().all(|line| matches!(line, Line::Add(_)))
}

/// The line with the number, if it says something, stands once in the text, and is quoted above the call.
fn quoted<'t>(text: &'t [u8], number: usize, lines: &Lines, at: usize) -> Option<&'t [u8]> {
    let line = text.lines().nth(number.checked_sub(1)?)?;
    let own = line.trim_ascii();
    let is_telling = own.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() > 1;
    let is_alone = text.lines().filter(|line| line.trim_ascii() == own).count() == 1;
    let mut above = (0..at).rev().filter(|at| !blank(lines[*at])).take(REACH);
    let is_quoted = above.any(|at| lines[at].split_str("`").skip(1).step_by(2).any(|span| span.trim_ascii() == own));
    (is_telling && is_alone && is_quoted).then_some(line)
}
