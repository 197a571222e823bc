//! Every place of a file where the old (or new) lines of a hunk stand, and how well they fit there.

use std::cell::Cell;
use std::collections::HashMap;

use super::lines::{Text, columns, has_substance, margin, trim, trim_end, without_cr};
use guardhost_core::change::{Hunk, Line};

/// Comparisons of two lines that one file may cost. Only a file that repeats itself endlessly comes near: at about a
/// nanosecond each this is a quarter of a second.
const BUDGET: u64 = 1 << 28;

/// How well lines fit a place, best first. Removed lines never fit worse than `Trailing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Byte for byte; line endings are not part of a line.
    Exact,
    /// But for blanks at line ends.
    Trailing,
    /// But for tabs that stand as blanks (or blanks as tabs) in the margin of context lines, all with one tab width.
    Tabs,
    /// But for one context line, which reads otherwise.
    Misquoted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the first line, from 0.
    pub start: usize,
    pub fit: Fit,
}

/// One side of a hunk: the lines to look for.
pub(super) struct Side<'h> {
    lines: Vec<Sought<'h>>,
}

struct Sought<'h> {
    bytes: &'h [u8],
    context: bool,
}

impl<'h> Side<'h> {
    pub fn old(hunk: &'h Hunk) -> Self {
        Self::of(hunk.lines.iter().filter(|line| line.is_old()))
    }

    pub fn new(hunk: &'h Hunk) -> Self {
        Self::of(hunk.lines.iter().filter(|line| line.is_new()))
    }

    fn of(lines: impl Iterator<Item = &'h Line>) -> Self {
        let sought =
            |line: &'h Line| Sought { bytes: without_cr(line.bytes()), context: matches!(line, Line::Context(_)) };
        Side { lines: lines.map(sought).collect() }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn bytes(&self) -> impl ExactSizeIterator<Item = &'h [u8]> {
        self.lines.iter().map(|line| line.bytes)
    }
}

/// Which line of a side may differ from the file's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slip {
    None,
    OneContext,
    /// To find near misses, never to place.
    OneOfAny,
}

/// The file could not be searched within [`BUDGET`].
pub(super) struct Exhausted;

/// A file's lines by what they say: hashed once without their outer blanks, then looked up by the rarest line of a side.
pub(super) struct Index<'t> {
    text: &'t Text<'t>,
    names: HashMap<&'t [u8], u32>,
    /// What each line says.
    ids: Vec<u32>,
    /// Where `spots` begins for each id, and one past the end.
    first: Vec<u32>,
    /// Line indices, grouped by id.
    spots: Vec<u32>,
    left: Cell<u64>,
}

impl<'t> Index<'t> {
    /// A text has fewer than 2³² lines because sanitize bounds its bytes; what lies beyond would not be found, not misplaced.
    pub fn of(text: &'t Text<'t>) -> Self {
        let mut names = HashMap::with_capacity(text.len());
        let ids: Vec<u32> = (text.rows.iter())
            .map(|row| {
                let next = names.len() as u32;
                *names.entry(trim(row.text)).or_insert(next)
            })
            .collect();
        let mut first = vec![0u32; names.len() + 1];
        ids.iter().for_each(|id| first[*id as usize + 1] += 1);
        for id in 1..first.len() {
            first[id] += first[id - 1];
        }
        let mut free = first.clone();
        let mut spots = vec![0u32; ids.len()];
        for (row, id) in ids.iter().enumerate() {
            spots[free[*id as usize] as usize] = row as u32;
            free[*id as usize] += 1;
        }
        Index { text, names, ids, first, spots, left: Cell::new(BUDGET) }
    }

    /// The lines that say what `line` says, outer blanks aside.
    pub fn spots(&self, line: &[u8]) -> &[u32] {
        self.names.get(trim(line)).map_or(&[], |id| self.of_id(*id))
    }

    fn of_id(&self, id: u32) -> &[u32] {
        &self.spots[self.first[id as usize] as usize..self.first[id as usize + 1] as usize]
    }

    /// Every place where the side fits, each with its own fit, in the order of the file. Places with a misquoted line are
    /// looked for only when nothing fits better, and only two other lines of substance make such a place; one, where the
    /// place is the one that the header names.
    pub fn places(&self, side: &Side, claimed: Option<usize>) -> Result<Vec<Place>, Exhausted> {
        let places = self.search(side, Slip::None)?;
        if !places.is_empty() {
            return Ok(places);
        }
        let mut places = self.search(side, Slip::OneContext)?;
        places.retain(|place| {
            let rows = self.text.rows[place.start..].iter().map(|row| trim(row.text));
            let matching =
                rows.zip(side.bytes()).filter(|(row, line)| *row == trim(line) && has_substance(line)).count();
            matching >= 2 || matching == 1 && claimed == Some(place.start)
        });
        Ok(places)
    }

    /// Whether the side stands at `start`, fitting no worse than `worst`.
    pub fn stands_at(&self, side: &Side, start: usize, worst: Fit) -> bool {
        start + side.len() <= self.text.len() && self.grade(side, start, Slip::None).is_some_and(|fit| fit <= worst)
    }

    pub fn ends_at(&self, row: usize) -> bool {
        row == self.text.len()
    }

    /// The places where the side would stand but for one line of any kind.
    pub fn near(&self, side: &Side) -> Result<Vec<Place>, Exhausted> {
        self.search(side, Slip::OneOfAny)
    }

    fn search(&self, side: &Side, slip: Slip) -> Result<Vec<Place>, Exhausted> {
        let ids: Vec<Option<u32>> = side.lines.iter().map(|line| self.names.get(trim(line.bytes)).copied()).collect();
        let strangers = ids.iter().filter(|id| id.is_none()).count();
        let fixed = |(id, line): (&Option<u32>, &Sought)| id.is_none() && !line.context;
        if strangers > usize::from(slip != Slip::None)
            || slip == Slip::OneContext && ids.iter().zip(&side.lines).any(fixed)
        {
            return Ok(Vec::new());
        }
        // Of two lines at most one is misquoted, so every place holds one of the two rarest; and all the lines that are not
        // strangers when there is a stranger.
        let mut rarest: Vec<(usize, u32)> = ids.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?))).collect();
        rarest.sort_by_key(|(at, id)| (self.of_id(*id).len(), *at));
        rarest.truncate(if slip == Slip::None || strangers == 1 { 1 } else { 2 });

        let mut starts: Vec<usize> = (rarest.iter())
            .flat_map(|(at, id)| self.of_id(*id).iter().filter_map(|spot| (*spot as usize).checked_sub(*at)))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let mut places = Vec::new();
        for start in starts {
            let agree = self.agreeing(&ids, start, slip)?;
            if agree && let Some(fit) = self.grade(side, start, slip) {
                places.push(Place { start, fit });
            }
        }
        Ok(places)
    }

    /// The quick look: do the lines say the same?
    fn agreeing(&self, ids: &[Option<u32>], start: usize, slip: Slip) -> Result<bool, Exhausted> {
        // A misquoted last line may lie beyond the file's end: models add an empty one there.
        let spare = usize::from(slip != Slip::None);
        if start + ids.len() > self.ids.len() + spare {
            return Ok(false);
        }
        let mut misses = 0;
        for (at, id) in ids.iter().enumerate() {
            misses += usize::from(self.ids.get(start + at) != id.as_ref());
            if misses > spare {
                self.spend(at as u64 + 1)?;
                return Ok(false);
            }
        }
        self.spend(ids.len() as u64)?;
        Ok(true)
    }

    fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.left.set(self.left.get().checked_sub(steps).ok_or(Exhausted)?);
        Ok(())
    }

    fn grade(&self, side: &Side, start: usize, slip: Slip) -> Option<Fit> {
        let mut fit = Fit::Exact;
        let mut widths = u8::MAX;
        let mut slipped = false;
        for (at, line) in side.lines.iter().enumerate() {
            let row = self.text.rows.get(start + at).map(|row| row.text);
            let found = row.and_then(|row| line_fit(row, line, &mut widths));
            match found {
                Some(one) => fit = fit.max(one),
                None if slip == Slip::None || slipped => return None,
                None if slip == Slip::OneContext && !line.context => return None,
                None => slipped = true,
            }
        }
        Some(if slipped { Fit::Misquoted } else { fit })
    }
}

/// `widths`: the tab widths that explain all margins so far, as [`tab_widths`] has them.
fn line_fit(row: &[u8], line: &Sought, widths: &mut u8) -> Option<Fit> {
    if row == line.bytes {
        return Some(Fit::Exact);
    }
    if trim_end(row) == trim_end(line.bytes) {
        return Some(Fit::Trailing);
    }
    let explained = *widths & tab_widths(margin(row), margin(line.bytes));
    if !line.context || explained == 0 || trim(row) != trim(line.bytes) {
        return None;
    }
    *widths = explained;
    Some(Fit::Tabs)
}

/// The tab widths with which two margins, one of them tabbed, are equally wide: bit n stands for n + 1.
pub(super) fn tab_widths(a: &[u8], b: &[u8]) -> u8 {
    if !a.contains(&b'\t') && !b.contains(&b'\t') {
        return 0;
    }
    (0..8).filter(|bit| columns(a, bit + 1) == columns(b, bit + 1)).map(|bit| 1 << bit).sum()
}
