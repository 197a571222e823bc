//! Every hunk of a section with the line at which it is placed, or every misfit.

use std::collections::HashSet;

use super::repairs::{HunkRepair, counts, only_repair};
use crate::apply::locate::{LocatedHunk, Location, Locator, not_trimmed};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use crate::apply::resolve::{HunkDecision, resolve};
use crate::limits::MISFITS;
use guardhost_core::change::{Hunk, Line, Note};

/// A hunk, and the index of the line at which it starts.
pub(super) type PlacedHunk<'h> = (LocatedHunk<'h>, usize);

/// The number of the first hunk is `first`. Hunks that change nothing, repeat others or are in the file already are noted and left
/// out; `has_done` says whether some are in the file.
pub(super) fn locate_all<'h>(
    locator: &Locator<'h>,
    hunks: &'h [Hunk],
    first: usize,
    notes: &mut Vec<Note>,
    has_done: &mut bool,
) -> Result<Vec<PlacedHunk<'h>>, Vec<HunkMisfit>> {
    let mut located = Vec::new();
    let mut misfits = Vec::new();
    let mut unnamed: Vec<(usize, usize)> = Vec::new();
    let mut seen = HashSet::new();
    for (number, hunk) in (first..).zip(hunks) {
        locator.context.watch.checkpoint();
        if misfits.len() >= MISFITS {
            break;
        }
        let mut note = |code, text: &str| notes.push(locator.context.hunk_note(number, code, text));
        if !hunk.lines.iter().any(|line| !matches!(line, Line::Context(_))) {
            match hunk.lines.is_empty() || locator.changes_nothing(hunk) {
                true => note("no-change", "it changes nothing and was left out"),
                false => misfits.push(no_change(number)),
            }
            continue;
        }
        if hunk.old_start.is_some() && !seen.insert((hunk.old_start, &hunk.lines)) {
            note("duplicate-hunk", "it came twice and was applied once");
            continue;
        }
        match locator.locate(number, hunk) {
            Location::Found(hunk) => located.push(hunk),
            Location::AlreadyApplied { start, is_named } => {
                *has_done = true;
                note("already-applied", &format!("the file holds its new lines already, from line {}", start + 1));
                if !is_named {
                    unnamed.push((number, start));
                }
                let repairs = counts(hunk).into_iter().chain([HunkRepair::Done]).collect();
                misfits.extend(only_repair(number, &repairs).err());
                misfits.extend(check_trimmed(locator, number, hunk, start, Line::is_new));
            }
            Location::Misfit(misfit) => misfits.push(misfit),
        }
    }
    // A model that repairs its patch needs every misfit, so the hunks that were found are resolved too.
    let decisions = resolve(locator, &located);
    let mut placed = Vec::new();
    for (hunk, decision) in located.into_iter().zip(decisions) {
        match decision {
            HunkDecision::At(start) => {
                misfits.extend(check_trimmed(locator, hunk.number, hunk.hunk, start, Line::is_old));
                placed.push((hunk, start));
            }
            HunkDecision::Repeat => notes.push(locator.context.hunk_note(
                hunk.number,
                "duplicate-hunk",
                "it came twice and was applied once",
            )),
            HunkDecision::Misfit(misfit) => misfits.push(misfit),
        }
    }
    if !placed.is_empty() {
        misfits.extend(unnamed.into_iter().map(|(number, start)| half_applied(number, start)));
    }
    misfits.sort_by_key(|misfit| misfit.hunk);
    if misfits.is_empty() { Ok(placed) } else { Err(misfits) }
}

/// The misfit of a hunk whose header counts more lines than the reply has, unless the file has only blank ones there. `side`: the
/// lines of the hunk that are in the file.
fn check_trimmed(
    locator: &Locator,
    number: usize,
    hunk: &Hunk,
    start: usize,
    side: fn(&Line) -> bool,
) -> Option<HunkMisfit> {
    let below = start + hunk.lines.iter().filter(|line| side(line)).count();
    if hunk.trimmed == 0 || locator.is_blank_below(below, hunk.trimmed) {
        return None;
    }
    let message = not_trimmed(locator.text, below, hunk.trimmed);
    Some(HunkMisfit::new(number, MisfitKind::NotFound, message))
}

/// A change that was written as context would be lost without a word.
fn no_change(number: usize) -> HunkMisfit {
    let message = "it has neither - nor + lines, and its lines are not in the file as it has them. Mark what it removes with - and \
                   what it adds with +.";
    HunkMisfit::new(number, MisfitKind::NotFound, message)
}

fn half_applied(number: usize, start: usize) -> HunkMisfit {
    let message = format!(
        "its new lines stand at line {} already, though nothing in its header names that place, while other hunks are still to be \
         applied. Leave it out if that is its place; otherwise give its old lines as the file has them.",
        start + 1
    );
    HunkMisfit::new(number, MisfitKind::Ambiguous, message)
}
