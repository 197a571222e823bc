//! Place the hunks of one section on the text of one file: all of them, or say which do not fit.

mod edits;
mod margins;
mod overlap;
mod splice;
mod whole_file;

pub use whole_file::in_shape_of;

use std::collections::HashSet;

use super::context::PatchContext;
use super::locate::{LineIndex, LocatedHunk, Location, Locator, MatchQuality, Position, ambiguous};
use super::misfit::{HunkMisfit, MisfitKind};
use super::resolve::resolve_ambiguity;
use super::text::Text;
use edits::{agrees_on_endings, edits, finish};
use guardhost_core::change::{Hunk, Line, Note, Strategy};
use overlap::{HunkEdit, merge_overlaps};
use splice::{Finish, splice};

const BOM: &[u8] = b"\xef\xbb\xbf";

pub struct Placed {
    pub bytes: Vec<u8>,
    /// None when the text holds every hunk already.
    pub strategy: Option<Strategy>,
    pub notes: Vec<Note>,
    /// No hunk has a misquoted line.
    pub is_verbatim: bool,
}

pub fn place(bytes: &[u8], hunks: &[Hunk], context: &PatchContext) -> Result<Placed, Vec<HunkMisfit>> {
    // A patch without the byte order mark does not change it.
    let has_bom = hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.bytes().starts_with(BOM));
    let (bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) if !has_bom => (BOM, body),
        _ => (&b""[..], bytes),
    };
    let text = Text::of(body);
    let locator = Locator { text: &text, index: LineIndex::of(&text), context };
    let mut notes = Vec::new();
    let located = locate_all(&locator, hunks, &mut notes)?;
    let positions = resolve_all(&text, &located, context)?;
    let placed: Vec<(&LocatedHunk, Position)> = located.iter().zip(positions).collect();

    let mut strategy = None;
    let mut finish_as = Finish::AsBefore;
    let mut keeps_endings = true;
    let mut all: Vec<HunkEdit> = Vec::new();
    for (hunk, position) in &placed {
        strategy = strategy.max(Some(strategy_of(hunk, *position, context)));
        let (own, converted) = edits(&text, hunk.hunk, position.start);
        note_quality(hunk, *position, converted, context, &mut notes);
        all.extend(own.into_iter().map(|edit| HunkEdit { edit, hunk, start: position.start }));
        keeps_endings &= agrees_on_endings(&text, hunk.hunk, position.start);
        let old = hunk.hunk.lines.iter().filter(|line| line.is_old()).count();
        if position.start + old >= text.len() {
            finish_as = finish(&text, hunk.hunk);
        }
    }
    if !placed.is_sorted_by_key(|(_, position)| position.start) {
        notes.push(context.note("out-of-order", "the hunks were not in the order of the file"));
    }
    let edits = merge_overlaps(all, context, &mut notes)?;
    let (body, endings_changed) = splice(&text, &edits, finish_as, keeps_endings);
    if endings_changed {
        notes.push(context.note("crlf", "the file's own line endings were kept"));
    }
    Ok(Placed {
        bytes: [bom, &body].concat(),
        strategy,
        notes,
        is_verbatim: placed.iter().all(|(_, position)| position.quality < MatchQuality::Misquoted),
    })
}

fn locate_all<'h>(
    locator: &Locator,
    hunks: &'h [Hunk],
    notes: &mut Vec<Note>,
) -> Result<Vec<LocatedHunk<'h>>, Vec<HunkMisfit>> {
    let mut located = Vec::new();
    let mut misfits = Vec::new();
    let mut seen = HashSet::new();
    for (number, hunk) in (1..).zip(hunks) {
        let mut note = |code, text: &str| notes.push(locator.context.hunk_note(number, code, text));
        if !hunk.lines.iter().any(|line| !matches!(line, Line::Context(_))) {
            note("no-change", "it changes nothing and was left out");
            continue;
        }
        if hunk.old_start.is_some() && !seen.insert((hunk.old_start, &hunk.lines)) {
            note("duplicate-hunk", "it came twice and was applied once");
            continue;
        }
        match locator.locate(number, hunk) {
            Location::Found(hunk) => located.push(hunk),
            Location::AlreadyApplied(start) => {
                note("already-applied", &format!("the file holds its new lines already, from line {}", start + 1));
            }
            Location::Misfit(misfit) => misfits.push(misfit),
        }
    }
    if misfits.is_empty() {
        return Ok(located);
    }
    // A model that repairs its patch needs every misfit, so the hunks that were found are resolved too.
    misfits.extend(resolve_all(locator.text, &located, locator.context).err().into_iter().flatten());
    misfits.sort_by_key(|misfit| misfit.hunk);
    Err(misfits)
}

fn resolve_all(text: &Text, located: &[LocatedHunk], context: &PatchContext) -> Result<Vec<Position>, Vec<HunkMisfit>> {
    let positions = resolve_ambiguity(text, located, context.is_ordered);
    let misfits: Vec<HunkMisfit> = (located.iter().zip(&positions))
        .filter(|(_, position)| position.is_none())
        .map(|(hunk, _)| {
            let all = hunk.positions.iter().chain(&hunk.weaker);
            let mut starts: Vec<usize> = all.map(|position| position.start).collect();
            starts.sort_unstable();
            HunkMisfit::new(hunk.number, MisfitKind::Ambiguous, ambiguous(&starts))
        })
        .collect();
    if misfits.is_empty() { Ok(positions.into_iter().flatten().collect()) } else { Err(misfits) }
}

fn strategy_of(hunk: &LocatedHunk, position: Position, context: &PatchContext) -> Strategy {
    match position.quality {
        MatchQuality::Exact => match hunk.claimed {
            Some(claimed) if claimed == position.start => Strategy::Exact,
            Some(_) => Strategy::Offset,
            // Without a line number the only position counts as exact, unless the format should have given a number.
            None if context.is_numbered && hunk.has_old_lines() => Strategy::Offset,
            None => Strategy::Exact,
        },
        MatchQuality::TrailingSpace | MatchQuality::Tabs | MatchQuality::Misquoted => Strategy::Whitespace,
    }
}

fn note_quality(
    hunk: &LocatedHunk,
    position: Position,
    converted: bool,
    context: &PatchContext,
    notes: &mut Vec<Note>,
) {
    let mut note = |code, text: &str| notes.push(context.hunk_note(hunk.number, code, text));
    if let Some(claimed) = hunk.claimed.filter(|claimed| *claimed != position.start) {
        note("offset", &format!("placed at line {}, not at line {}", position.start + 1, claimed + 1));
    }
    match position.quality {
        MatchQuality::Exact => {}
        MatchQuality::TrailingSpace => note("trailing-space", "the file's own blanks at line ends were kept"),
        MatchQuality::Tabs => note("tabs", "tabs and blanks differ in its context; the file's own were kept"),
        MatchQuality::Misquoted => {
            note("misquoted", "one line of its context reads otherwise in the file, and was kept");
        }
    }
    if converted {
        note("indentation", "the added lines were indented as the file is");
    }
}
