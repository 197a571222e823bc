//! Strings of a call that were escaped twice: `\\n` in place of every line feed.

use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line};
use guardhost_core::error::Result;

use super::super::account::Surroundings;
use super::super::search_replace::hunk;

/// Takes the second escape off all edits of a call, if the files have every old text only then.
pub(crate) fn unescape(edits: &mut [FilePatch], files: &Surroundings) -> Result<bool> {
    let mut plain = Vec::new();
    for edit in edits.iter() {
        let FileOp::Modify(hunks) = &edit.op else { return Ok(false) };
        // What no escape is in needs no look at the file.
        if !hunks.iter().all(|hunk| hunk.lines.iter().any(|line| line.is_old() && line.bytes().contains(&b'\\'))) {
            return Ok(false);
        }
        let Some(content) = files.content(&edit.path)? else { return Ok(false) };
        let hunks: Option<Vec<Hunk>> = hunks.iter().map(|hunk| once_escaped(hunk, &content)).collect();
        let Some(hunks) = hunks else { return Ok(false) };
        plain.push(hunks);
    }
    for (edit, hunks) in edits.iter_mut().zip(plain) {
        edit.op = FileOp::Modify(hunks);
    }
    Ok(!edits.is_empty())
}

/// The hunk without the second escape, which its old text shows: the file has it only without.
fn once_escaped(escaped: &Hunk, content: &[u8]) -> Option<Hunk> {
    let side = |is_side: fn(&Line) -> bool| {
        escaped.lines.iter().filter(|line| is_side(line)).map(Line::bytes).collect::<Vec<_>>().join(&b'\n')
    };
    let (old, new) = (side(Line::is_old), side(Line::is_new));
    let (old_plain, new_plain) = (decoded(&old)?, decoded(&new)?);
    let is_shown = old_plain.as_bytes() != old && !content.contains_str(&old) && content.contains_str(&old_plain);
    let lines = |text: &'_ str| -> Vec<Vec<u8>> { text.split('\n').map(|line| line.as_bytes().to_vec()).collect() };
    let (old, new) = (lines(&old_plain), lines(&new_plain));
    let plain =
        hunk(&old.iter().map(Vec::as_slice).collect::<Vec<_>>(), &new.iter().map(Vec::as_slice).collect::<Vec<_>>());
    is_shown.then_some(Hunk { is_everywhere: escaped.is_everywhere, ends_line: escaped.ends_line, ..plain })
}

/// The text of a string of JSON. None where it has a line feed or a quote of its own, which that cannot have.
fn decoded(text: &[u8]) -> Option<String> {
    serde_json::from_slice(&[b"\"", text, b"\""].concat()).ok()
}
