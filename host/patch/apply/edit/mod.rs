//! Place the hunks of one section on the text of one file: all of them, or say which do not fit.

mod edits;
mod located;
mod margins;
mod overlap;
mod repaired;
mod repairs;
mod sequence;
mod splice;
mod whole_file;

pub use whole_file::in_shape_of;

use super::context::PatchContext;
use super::locate::{LocatedHunk, Locator, MatchQuality};
use super::misfit::{HunkMisfit, MisfitKind};
use super::text::{BOM, Text};
use std::collections::HashMap;

use crate::limits::MISFITS;
use bstr::ByteSlice;
use edits::{agrees_on_endings, edits, finish};
use guardhost_core::change::{Hunk, Line, Note, Strategy};
use located::locate_all;
use overlap::{HunkEdit, merge_overlaps};
use repairs::{HunkRepair, needed, only_repair};
use splice::{Finish, splice};

pub struct AppliedEdit {
    pub bytes: Vec<u8>,
    /// None when the text holds every hunk already.
    pub strategy: Option<Strategy>,
    pub notes: Vec<Note>,
    /// No hunk has a misquoted line.
    pub is_verbatim: bool,
    /// The lines of a hunk are indented otherwise than the file's.
    pub is_shifted: bool,
    /// A hunk was in the text already.
    pub has_done: bool,
}

pub fn place(bytes: &[u8], hunks: &[Hunk], context: &PatchContext) -> Result<AppliedEdit, Vec<HunkMisfit>> {
    let joined = place_joined(bytes, hunks, context);
    if hunks.last().is_none_or(|last| last.step == 0) {
        return joined;
    }
    sequence::place_in_steps(bytes, hunks, context, joined)
}

/// All hunks on the text as it is.
fn place_joined(bytes: &[u8], hunks: &[Hunk], context: &PatchContext) -> Result<AppliedEdit, Vec<HunkMisfit>> {
    let misfits = match place_together(bytes, hunks, 1, context, &HashMap::new()) {
        Ok(placed) if !placed.is_shifted => return Ok(placed),
        Ok(placed) => return repaired::with_signs(bytes, hunks, context).unwrap_or(Ok(placed)),
        Err(misfits) => misfits,
    };
    if misfits.len() >= MISFITS {
        return Err(misfits);
    }
    if let Some(Ok(placed)) = repaired::with_signs(bytes, hunks, context) {
        return Ok(placed);
    }
    match repaired::place_fixed(bytes, hunks, context, &misfits) {
        Some(placed) => Ok(placed),
        None if context.is_sequential => sequence::place_in_sequence(bytes, hunks, context, misfits),
        None => Err(misfits),
    }
}

/// Places all hunks on the same text. The number of the first hunk is `first`. `repaired`: what was done to hunks already, by their
/// numbers.
fn place_together(
    bytes: &[u8],
    hunks: &[Hunk],
    first: usize,
    context: &PatchContext,
    repaired: &HashMap<usize, HunkRepair>,
) -> Result<AppliedEdit, Vec<HunkMisfit>> {
    // A patch without the byte order mark does not change it.
    let has_bom = hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.bytes().starts_with(BOM));
    let (bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) if !has_bom => (BOM, body),
        _ => (&b""[..], bytes),
    };
    let text = Text::new(body);
    let locator = Locator::new(&text, context);
    let mut notes = Vec::new();
    let mut has_done = false;
    let placed = locate_all(&locator, hunks, first, &mut notes, &mut has_done)?;

    let unclear: Vec<HunkMisfit> = (placed.iter())
        .filter_map(|(hunk, start)| {
            let repairs = needed(hunk, &text, *start, repaired.get(&hunk.number).copied());
            only_repair(hunk.number, &repairs).err()
        })
        .collect();
    if !unclear.is_empty() {
        return Err(unclear);
    }
    if let Some(misfit) = placed.iter().find_map(|(hunk, _)| keeps_typographic_quotes(hunk, &text)) {
        return Err(vec![misfit]);
    }
    let mut strategy = None;
    let mut finish_as = Finish::AsBefore;
    let mut keeps_endings = true;
    let mut all: Vec<HunkEdit> = Vec::new();
    for (hunk, start) in &placed {
        context.watch.checkpoint();
        strategy = strategy.max(Some(strategy_of(hunk, *start, context)));
        let (own, converted) = edits(&text, hunk.hunk, *start, hunk.standing.quality);
        note_quality(hunk, *start, converted, context, &mut notes);
        all.extend(own.into_iter().map(|edit| HunkEdit { edit, hunk, start: *start }));
        keeps_endings &= agrees_on_endings(&text, hunk.hunk, *start);
        let old = hunk.hunk.lines.iter().filter(|line| line.is_old()).count();
        if start + old >= text.len() {
            finish_as = finish(&text, hunk.hunk);
        }
    }
    if !placed.is_sorted_by_key(|(_, start)| *start) {
        notes.push(context.note("out-of-order", "the hunks were not in the order of the file"));
    }
    let edits = merge_overlaps(all, context, &mut notes)?;
    let (body, endings_changed) = splice(&text, &edits, finish_as, keeps_endings);
    if endings_changed {
        notes.push(context.note("crlf", "the file's own line endings were kept"));
    }
    Ok(AppliedEdit {
        bytes: [bom, &body].concat(),
        strategy,
        notes,
        is_verbatim: placed.iter().all(|(hunk, _)| hunk.standing.quality.has_every_line()),
        is_shifted: placed.iter().any(|(hunk, _)| hunk.standing.quality == MatchQuality::Shifted),
        has_done,
    })
}

/// Of a hunk whose context has typographic quotes in place of the file's, the added lines are damaged alike.
fn keeps_typographic_quotes(hunk: &LocatedHunk, text: &Text) -> Option<HunkMisfit> {
    let has_quotes = |line: &[u8]| {
        line.contains_str("“") || line.contains_str("”") || line.contains_str("‘") || line.contains_str("’")
    };
    let adds = hunk.hunk.lines.iter().any(|line| matches!(line, Line::Add(text) if has_quotes(text)));
    let is_damaged = hunk.standing.quality == MatchQuality::Misquoted
        && adds
        && hunk.hunk.lines.iter().any(|line| matches!(line, Line::Context(text) if has_quotes(text)))
        && !text.rows.iter().any(|row| has_quotes(row.text));
    let message = "its context has typographic quotes where the file has straight ones, and so have its added lines. Send it with the \
                   quotes of the file.";
    is_damaged.then(|| HunkMisfit::new(hunk.number, MisfitKind::NotFound, message))
}

fn strategy_of(hunk: &LocatedHunk, start: usize, context: &PatchContext) -> Strategy {
    match hunk.standing.quality {
        MatchQuality::Exact => match hunk.claimed {
            Some(claimed) if claimed == start => Strategy::Exact,
            Some(_) => Strategy::Offset,
            // Without a line number the only position counts as exact, unless the format should have given a number.
            None if context.is_numbered && hunk.has_old_lines() => Strategy::Offset,
            None => Strategy::Exact,
        },
        MatchQuality::TrailingSpace | MatchQuality::Tabs | MatchQuality::Shifted | MatchQuality::Misquoted => {
            Strategy::Whitespace
        }
    }
}

fn note_quality(hunk: &LocatedHunk, start: usize, converted: bool, context: &PatchContext, notes: &mut Vec<Note>) {
    let mut note = |code, text: &str| notes.push(context.hunk_note(hunk.number, code, text));
    if let Some(claimed) = hunk.claimed.filter(|claimed| *claimed != start) {
        note("offset", &format!("placed at line {}, not at line {}", start + 1, claimed + 1));
    }
    match hunk.standing.quality {
        MatchQuality::Exact => {}
        MatchQuality::TrailingSpace => note("trailing-space", "the file's own blanks at line ends were kept"),
        MatchQuality::Tabs => note("tabs", "tabs and blanks differ in its context; the file's own were kept"),
        MatchQuality::Shifted => {
            note("shifted", "all its lines are indented otherwise; the file's own margins were kept")
        }
        MatchQuality::Misquoted => {
            note("misquoted", "one line of its context reads otherwise in the file, and was kept");
        }
    }
    if converted {
        note("indentation", "the added lines were indented as the file is");
    }
}
