//! What a hunk's heading says about its place: the text after the second `@@`, or V4A's anchor lines.
//!
//! Git writes there the nearest line above the hunk that looks like the head of a function; V4A demands a line above the hunk.
//! So a heading speaks for a position below it and, where it heads a scope, before that scope ends.

use std::ops::RangeInclusive;
use std::rc::Rc;

use super::Locator;
use super::index::LineIndex;
use crate::apply::text::{Text, margin, trim};
use guardhost_core::change::Hunk;

/// A heading that occurs more often than this is no evidence.
const OCCURRENCES: usize = 1000;

/// The shortest prefix that counts as its whole line: git cuts headings off, models shorten them.
const PREFIX: usize = 8;

pub enum Heading {
    /// It is no evidence: there is none, the file does not have it, or every twin of the hunk has it.
    Silent,
    /// A plain line that occurs once: only being below it counts. Below `end` git would have written a later line.
    Below { head: usize, end: usize },
    /// The scopes that it may head, in the order of the file: where a hunk in them may start.
    Within(Vec<RangeInclusive<usize>>),
}

impl Heading {
    pub fn is_silent(&self) -> bool {
        matches!(self, Heading::Silent)
    }

    /// Whether the heading speaks for a hunk at `start`; a silent one speaks for all.
    pub fn admits(&self, start: usize) -> bool {
        match self {
            Heading::Silent => true,
            Heading::Below { head, .. } => start > *head,
            Heading::Within(scopes) => scopes.iter().any(|scope| scope.contains(&start)),
        }
    }

    /// The only line of the file that it can be.
    pub fn line(&self) -> Option<usize> {
        match self {
            Heading::Below { head, .. } => Some(*head),
            Heading::Within(scopes) => match &scopes[..] {
                [scope] => scope.start().checked_sub(1),
                _ => None,
            },
            Heading::Silent => None,
        }
    }

    /// Whether it heads a scope in which a hunk at `start` is.
    pub fn contains(&self, start: usize) -> bool {
        matches!(self, Heading::Within(_)) && self.admits(start)
    }

    /// Whether git itself would write it above a hunk at `start`.
    pub fn is_gits(&self, start: usize) -> bool {
        match self {
            Heading::Silent => false,
            Heading::Below { head, end } => (head + 1..=*end).contains(&start),
            Heading::Within(_) => self.admits(start),
        }
    }

    /// The first line of the file for which it could speak.
    pub fn first_line(&self) -> usize {
        match self {
            Heading::Silent => 0,
            Heading::Below { head, .. } => head + 1,
            Heading::Within(scopes) => scopes.first().map_or(0, |scope| *scope.start()),
        }
    }

    /// The starts that it speaks for; all of them when it speaks for none.
    pub fn narrow(&self, starts: &Rc<[usize]>) -> Rc<[usize]> {
        let narrowed: Vec<usize> = match self {
            Heading::Silent => Vec::new(),
            // A plain line must leave one position.
            Heading::Below { head, .. } => match starts[starts.partition_point(|start| start <= head)..] {
                [only] => vec![only],
                _ => Vec::new(),
            },
            Heading::Within(scopes) => {
                let mut within = Vec::new();
                for scope in scopes {
                    let first = starts.partition_point(|start| start < scope.start());
                    within.extend(starts[first..].iter().take_while(|start| *start <= scope.end()));
                }
                within.sort_unstable();
                within.dedup();
                within
            }
        };
        if narrowed.is_empty() { Rc::clone(starts) } else { narrowed.into() }
    }
}

impl Locator<'_> {
    pub fn heading(&self, hunk: &Hunk) -> Heading {
        self.read_heading(hunk).unwrap_or(Heading::Silent)
    }

    fn read_heading(&self, hunk: &Hunk) -> Option<Heading> {
        let innermost = hunk.anchors.last()?;
        // Models often head a hunk with a line of the hunk itself; every twin of the hunk has that line too.
        if hunk.lines.iter().any(|line| line.is_old() && trim(line.bytes()) == trim(innermost)) {
            return None;
        }
        let outline = self.outline();
        let mut scopes = vec![0..=self.text.len()];
        let mut heads = Vec::new();
        for anchor in &hunk.anchors {
            heads = occurrences(&self.index, anchor)?;
            self.index.spend((heads.len() * scopes.len()) as u64).ok()?;
            heads.retain(|head| scopes.iter().any(|scope: &RangeInclusive<usize>| scope.contains(head)));
            // A hunk may begin with the very line that ends the scope: git looks for the heading above the hunk's first line.
            scopes = heads.iter().map(|head| head + 1..=outline[*head] as usize).collect();
        }
        match heads[..] {
            [] => None,
            [head] if !opens_scope(self.text, head) => Some(Heading::Below { head, end: outline[head] as usize }),
            _ => Some(Heading::Within(scopes)),
        }
    }
}

fn occurrences(index: &LineIndex, anchor: &[u8]) -> Option<Vec<usize>> {
    let anchor = trim(anchor);
    let mut found: Vec<usize> = index.rows_like(anchor).iter().map(|row| *row as usize).collect();
    if found.is_empty() && anchor.len() >= PREFIX {
        found = index.rows_beginning_with(anchor);
    }
    (!anchor.is_empty() && (1..=OCCURRENCES).contains(&found.len())).then_some(found)
}

/// For each line the one that closes the scope which the line may head: it starts with a word and is indented no deeper. For a
/// head in the first column that is git's own rule for the next heading.
pub(super) fn outline(text: &Text) -> Vec<u32> {
    let begins_with_word = |line: &[u8]| {
        trim(line).first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'@'))
    };
    let mut ends = vec![text.len() as u32; text.len()];
    // Lines below that may close a scope, the nearest last; each is indented deeper than those before it.
    let mut closing: Vec<(usize, u32)> = Vec::new();
    for (at, row) in text.rows.iter().enumerate().rev() {
        let depth = margin(row.text).len();
        let shallow = closing.partition_point(|(other, _)| *other <= depth);
        if let Some((_, end)) = shallow.checked_sub(1).and_then(|nearest| closing.get(nearest)) {
            ends[at] = *end;
        }
        if begins_with_word(row.text) {
            closing.truncate(closing.partition_point(|(other, _)| *other < depth));
            closing.push((depth, at as u32));
        }
    }
    ends
}

fn opens_scope(text: &Text, head: usize) -> bool {
    let depth = margin(text.rows[head].text).len();
    let next = text.rows[head + 1..].iter().map(|row| row.text).find(|line| !trim(line).is_empty());
    next.is_some_and(|line| margin(line).len() > depth || trim(line).starts_with(b"{"))
}
