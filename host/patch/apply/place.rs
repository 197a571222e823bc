//! Place the hunks of one section on the text of one file: all of them, or say which do not fit.

use std::collections::HashSet;

use super::decide::{Quarry, decide};
use super::edits::{edits, finish, is_faithful};
use super::lines::Text;
use super::misfit::HunkMisfit;
use super::nearest;
use super::search::{Fit, Index, Place};
use super::splice::{Edit, Finish, splice};
use super::survey::{Site, Survey};
use super::terms::Terms;
use super::untangle::untangle;
use guardhost_core::change::{Hunk, Line, Note, Strategy};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Code of the note that a line of context reads otherwise.
pub(super) const MISQUOTED: &str = "misquoted";

pub(super) struct Placed {
    pub bytes: Vec<u8>,
    /// None when the text holds every hunk already.
    pub strategy: Option<Strategy>,
    pub notes: Vec<Note>,
    /// No hunk had a misquoted line.
    pub verbatim: bool,
}

pub(super) fn place(bytes: &[u8], hunks: &[Hunk], terms: &Terms) -> Result<Placed, Vec<HunkMisfit>> {
    // A patch that does not know the byte order mark does not touch it.
    let knows_bom = hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.bytes().starts_with(BOM));
    let (bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) if !knows_bom => (BOM, body),
        _ => (&b""[..], bytes),
    };
    let text = Text::of(body);
    let site = Site { text: &text, index: Index::of(&text), terms };
    let mut notes = Vec::new();
    let quarries = survey_all(&site, hunks, &mut notes)?;
    let places = decide_all(&text, &quarries, terms)?;
    let placed: Vec<(&Quarry, Place)> = quarries.iter().zip(places).collect();

    let mut strategy = None;
    let mut finish_as = Finish::AsBefore;
    let mut faithful = true;
    let mut all: Vec<(Edit, &Quarry, usize)> = Vec::new();
    for (quarry, place) in &placed {
        strategy = strategy.max(Some(strategy_of(quarry, *place, terms)));
        let (own, converted) = edits(&text, quarry.hunk, place.start);
        note_fit(quarry, *place, converted, terms, &mut notes);
        all.extend(own.into_iter().map(|edit| (edit, *quarry, place.start)));
        faithful &= is_faithful(&text, quarry.hunk, place.start);
        let old = quarry.hunk.lines.iter().filter(|line| line.is_old()).count();
        if place.start + old >= text.len() {
            finish_as = finish(&text, quarry.hunk);
        }
    }
    if !placed.is_sorted_by_key(|(_, place)| place.start) {
        notes.push(terms.note("out-of-order", "the hunks were not in the order of the file"));
    }
    let edits = untangle(all, terms, &mut notes)?;
    let (body, endings_changed) = splice(&text, &edits, finish_as, faithful);
    if endings_changed {
        notes.push(terms.note("crlf", "the file's own line endings were kept"));
    }
    Ok(Placed {
        bytes: [bom, &body].concat(),
        strategy,
        notes,
        verbatim: placed.iter().all(|(_, place)| place.fit < Fit::Misquoted),
    })
}

fn survey_all<'h>(site: &Site, hunks: &'h [Hunk], notes: &mut Vec<Note>) -> Result<Vec<Quarry<'h>>, Vec<HunkMisfit>> {
    let mut quarries = Vec::new();
    let mut misfits = Vec::new();
    let mut seen = HashSet::new();
    for (number, hunk) in (1..).zip(hunks) {
        let mut note =
            |code, text: &str| notes.push(Note::new(code, format!("{}, hunk {number}: {text}", site.terms.path)));
        if !hunk.lines.iter().any(|line| !matches!(line, Line::Context(_))) {
            note("no-change", "it changes nothing and was left out");
            continue;
        }
        if hunk.old_start.is_some() && !seen.insert((hunk.old_start, &hunk.lines)) {
            note("duplicate-hunk", "it came twice and was applied once");
            continue;
        }
        match site.survey(number, hunk) {
            Survey::Fits(quarry) => quarries.push(quarry),
            Survey::Already(start) => {
                note("already-applied", &format!("the file holds its new lines already, from line {}", start + 1));
            }
            Survey::Misfit(misfit) => misfits.push(misfit),
        }
    }
    if misfits.is_empty() { Ok(quarries) } else { Err(misfits_of_the_rest(site.text, quarries, site.terms, misfits)) }
}

/// A model that mends its patch wants to know of every hunk, so those that fit are decided too.
fn misfits_of_the_rest(
    text: &Text,
    quarries: Vec<Quarry>,
    terms: &Terms,
    mut misfits: Vec<HunkMisfit>,
) -> Vec<HunkMisfit> {
    misfits.extend(decide_all(text, &quarries, terms).err().into_iter().flatten());
    misfits.sort_by_key(|misfit| misfit.hunk);
    misfits
}

fn decide_all(text: &Text, quarries: &[Quarry], terms: &Terms) -> Result<Vec<Place>, Vec<HunkMisfit>> {
    let places = decide(text, quarries, terms.ordered);
    let misfits: Vec<HunkMisfit> = (quarries.iter().zip(&places))
        .filter(|(_, place)| place.is_none())
        .map(|(quarry, _)| {
            let mut starts: Vec<usize> = quarry.places.iter().chain(&quarry.weaker).map(|place| place.start).collect();
            starts.sort_unstable();
            HunkMisfit::new(quarry.number, "ambiguous", nearest::ambiguous(&starts))
        })
        .collect();
    if misfits.is_empty() { Ok(places.into_iter().flatten().collect()) } else { Err(misfits) }
}

fn strategy_of(quarry: &Quarry, place: Place, terms: &Terms) -> Strategy {
    match place.fit {
        Fit::Exact if quarry.claimed == Some(place.start) => Strategy::Exact,
        // Where no line was to be named, none was missed.
        Fit::Exact if quarry.claimed.is_none() && (!terms.numbered || !quarry.hunk.lines.iter().any(Line::is_old)) => {
            Strategy::Exact
        }
        Fit::Exact => Strategy::Offset,
        Fit::Trailing | Fit::Tabs | Fit::Misquoted => Strategy::Whitespace,
    }
}

fn note_fit(quarry: &Quarry, place: Place, converted: bool, terms: &Terms, notes: &mut Vec<Note>) {
    let mut note = |code, text: &str| {
        notes.push(Note::new(code, format!("{}, hunk {}: {text}", terms.path, quarry.number)));
    };
    if let Some(claimed) = quarry.claimed.filter(|claimed| *claimed != place.start) {
        note("offset", &format!("placed at line {}, not at line {}", place.start + 1, claimed + 1));
    }
    match place.fit {
        Fit::Exact => {}
        Fit::Trailing => note("trailing-space", "the file's own blanks at line ends were kept"),
        Fit::Tabs => note("tabs", "tabs and blanks differ in its context; the file's own were kept"),
        Fit::Misquoted => note(MISQUOTED, "one line of its context reads otherwise in the file, and was kept"),
    }
    if converted {
        note("indentation", "the added lines were indented as the file is");
    }
}
