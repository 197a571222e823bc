//! Place the hunks of one section on the text of one file: all of them, or say which do not fit.

use std::collections::HashSet;

use super::decide::{Quarry, decide};
use super::edits::{edits, finish, is_faithful};
use super::lines::Text;
use super::nearest;
use super::search::{Fit, Index, Place};
use super::splice::{Edit, Finish, splice};
use super::survey::{Site, Survey};
use crate::change::{Hunk, Line, Note, RepoPath, Strategy};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What is known about the hunks beyond their lines.
#[derive(Clone)]
pub(super) struct Terms<'a> {
    pub path: &'a RepoPath,
    /// The format lists hunks from top to bottom, each with a line number.
    pub diff: bool,
    /// The format lists hunks from top to bottom.
    pub ordered: bool,
    /// No header had to be mended.
    pub honest: bool,
    /// Number of the first hunk, from 1.
    pub first: usize,
    /// What earlier sections did to the same file, in turn.
    pub earlier: &'a [Growth],
    /// By how much all hunks for the file so far, these included, make it longer down to the line that each names, in order.
    pub announced: Growth,
}

/// Rows at which a section made the text longer or shorter, and by how much, in the text before the section.
pub(super) type Growth = Vec<(usize, isize)>;

impl Terms<'_> {
    /// Where a line of the original file stands after the earlier sections.
    pub fn moved(&self, line: usize) -> usize {
        self.earlier.iter().fold(line, |line, growth| {
            let by: isize = growth.iter().filter(|(at, _)| *at <= line).map(|(_, by)| by).sum();
            line.saturating_add_signed(by)
        })
    }

    /// Where the new lines of a hunk begin whose old ones begin at `line`: there, or behind what the hunks above bring in,
    /// these being applied or not.
    pub fn named(&self, line: usize) -> [usize; 3] {
        let above = self.announced.partition_point(|(at, _)| *at < line);
        let by = above.checked_sub(1).map_or(0, |last| self.announced[last].1);
        [line, self.moved(line), line.saturating_add_signed(by)]
    }
}

/// The lines that hunks name, from 0, and by how much each hunk makes the file longer.
pub(super) fn announced(hunks: &[Hunk]) -> impl Iterator<Item = (usize, isize)> {
    let growth =
        |hunk: &Hunk| hunk.lines.iter().map(|line| isize::from(line.is_new()) - isize::from(line.is_old())).sum();
    hunks.iter().filter_map(move |hunk| Some(((hunk.old_start? as usize).saturating_sub(1), growth(hunk))))
}

impl Terms<'_> {
    pub fn note(&self, code: &'static str, text: &str) -> Note {
        Note::new(code, format!("{}: {text}", self.path))
    }
}

pub(super) struct Placed {
    pub bytes: Vec<u8>,
    /// None when the text holds every hunk already.
    pub strategy: Option<Strategy>,
    pub notes: Vec<Note>,
    pub growth: Growth,
    /// No hunk had a misquoted line.
    pub verbatim: bool,
}

pub(super) struct HunkMisfit {
    pub hunk: usize,
    pub code: &'static str,
    pub message: String,
}

impl HunkMisfit {
    pub fn new(hunk: usize, code: &'static str, message: impl Into<String>) -> Self {
        HunkMisfit { hunk, code, message: message.into() }
    }
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
        notes.push(Note::new("out-of-order", format!("{}: the hunks were not in the order of the file", terms.path)));
    }
    let edits = untangle(all, terms, &mut notes)?;
    let (body, endings_changed) = splice(&text, &edits, finish_as, faithful);
    if endings_changed {
        notes.push(Note::new("crlf", format!("{}: the file's own line endings were kept", terms.path)));
    }
    Ok(Placed {
        bytes: [bom, &body].concat(),
        strategy,
        notes,
        growth: edits.iter().map(|edit| (edit.at, edit.growth())).collect(),
        verbatim: placed.iter().all(|(_, place)| place.fit < Fit::Misquoted),
    })
}

fn survey_all<'h>(site: &Site, hunks: &'h [Hunk], notes: &mut Vec<Note>) -> Result<Vec<Quarry<'h>>, Vec<HunkMisfit>> {
    let mut quarries = Vec::new();
    let mut misfits = Vec::new();
    let mut seen = HashSet::new();
    for (number, hunk) in (site.terms.first..).zip(hunks) {
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
        Fit::Exact if quarry.claimed.is_none() && (!terms.diff || !quarry.hunk.lines.iter().any(Line::is_old)) => {
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
        Fit::Misquoted => note("misquoted", "one line of its context reads otherwise in the file, and was kept"),
    }
    if converted {
        note("indentation", "the added lines were indented as the file is");
    }
}

/// Sort the edits; the same edit twice is one, and two that touch the same rows are a misfit.
fn untangle<'h>(
    mut all: Vec<(Edit<'h>, &Quarry, usize)>,
    terms: &Terms,
    notes: &mut Vec<Note>,
) -> Result<Vec<Edit<'h>>, Vec<HunkMisfit>> {
    // An insertion comes above what is replaced at the same row; of two insertions that of the upper hunk.
    all.sort_by_key(|(edit, _, start)| (edit.at, edit.remove > 0, *start));
    let mut misfits = Vec::new();
    let mut kept: Vec<(Edit, &Quarry, usize)> = Vec::new();
    for (edit, quarry, start) in all {
        if let Some((above, other, other_start)) = kept.last() {
            // Two numbers, one of them true: the other is meant for another place, which does not fit.
            let numbers = (quarry.claimed, other.claimed);
            let meant_twice = numbers.0 != numbers.1
                && numbers.0.is_some_and(|line| line == start) != numbers.1.is_some_and(|line| line == *other_start);
            if edit == *above && !meant_twice {
                let text = format!("{}, hunk {}: it came twice and was applied once", terms.path, quarry.number);
                notes.push(Note::new("duplicate-hunk", text));
                continue;
            }
            let touching = edit.at < above.at + above.remove;
            let same_gap = edit.at == above.at && edit.remove == 0 && above.remove == 0;
            if touching || same_gap && start == *other_start || edit == *above {
                let numbers = (quarry.number.min(other.number), quarry.number.max(other.number));
                let message =
                    format!("hunks {} and {} change the same lines, at line {}", numbers.0, numbers.1, edit.at + 1);
                misfits.push(HunkMisfit::new(numbers.1, "overlap", message));
                continue;
            }
        }
        kept.push((edit, quarry, start));
    }
    if misfits.is_empty() { Ok(kept.into_iter().map(|(edit, ..)| edit).collect()) } else { Err(misfits) }
}
