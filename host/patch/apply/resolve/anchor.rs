//! Which positions a hunk's anchors speak for: the text after the second `@@`, or V4A's anchor lines.
//!
//! Git writes there the nearest line above the hunk that looks like the head of a function; V4A demands a line above the hunk.
//! So an anchor speaks for a position below it and, where the anchor heads a scope, before that scope ends.

use std::ops::Range;

use crate::apply::locate::Position;
use crate::apply::text::{Text, margin, trim};
use guardhost_core::change::Hunk;

/// An anchor that occurs more often than this is no evidence.
const OCCURRENCES: usize = 1000;

/// The shortest prefix that counts as its whole line: git cuts headings off, models shorten them.
const PREFIX: usize = 8;

/// The positions that the anchors speak for; all of them when the anchors are no evidence.
pub(super) fn supported(text: &Text, hunk: &Hunk, positions: &[Position]) -> Vec<Position> {
    let narrowed = narrow(text, hunk, positions).unwrap_or_default();
    if narrowed.is_empty() { positions.to_vec() } else { narrowed }
}

fn narrow(text: &Text, hunk: &Hunk, positions: &[Position]) -> Option<Vec<Position>> {
    let innermost = hunk.anchors.last()?;
    // Models often head a hunk with a line of the hunk itself; every twin of the hunk has that line too.
    if hunk.lines.iter().any(|line| line.is_old() && trim(line.bytes()) == trim(innermost)) {
        return None;
    }
    let mut within: Vec<Range<usize>> = std::iter::once(0..text.len()).collect();
    let mut heads = Vec::new();
    for anchor in &hunk.anchors {
        heads = occurrences(text, anchor)?;
        heads.retain(|head| within.iter().any(|range| range.contains(head)));
        within = heads.iter().map(|head| head + 1..scope_end(text, *head)).collect();
    }
    if let [head] = heads[..]
        && !opens_scope(text, head)
    {
        // A plain line that occurs once: only being below it counts, and it must leave one position.
        let below: Vec<Position> = positions.iter().copied().filter(|position| position.start > head).collect();
        return (below.len() == 1).then_some(below);
    }
    // A hunk may begin with the very line that ends the scope: git looks for the heading above the hunk's first line.
    let inside = |position: &&Position| {
        within.iter().any(|range: &Range<usize>| range.start <= position.start && position.start <= range.end)
    };
    Some(positions.iter().filter(inside).copied().collect())
}

fn occurrences(text: &Text, anchor: &[u8]) -> Option<Vec<usize>> {
    let anchor = trim(anchor);
    let lines_where = |matches: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        (text.rows.iter().enumerate()).filter(|(_, row)| matches(trim(row.text))).map(|(at, _)| at).collect()
    };
    let mut found = lines_where(&|line| line == anchor);
    if found.is_empty() && anchor.len() >= PREFIX {
        found = lines_where(&|line| line.starts_with(anchor));
    }
    (!anchor.is_empty() && (1..=OCCURRENCES).contains(&found.len())).then_some(found)
}

/// The line after `head` that closes its scope: it starts with a word and is indented no deeper. For a head in the first
/// column that is git's own rule for the next heading.
fn scope_end(text: &Text, head: usize) -> usize {
    let depth = margin(text.rows[head].text).len();
    let closes = |line: &[u8]| {
        let inner = trim(line);
        margin(line).len() <= depth
            && inner.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'@'))
    };
    (head + 1..text.len()).find(|at| closes(text.rows[*at].text)).unwrap_or(text.len())
}

fn opens_scope(text: &Text, head: usize) -> bool {
    let depth = margin(text.rows[head].text).len();
    let next = text.rows[head + 1..].iter().map(|row| row.text).find(|line| !trim(line).is_empty());
    next.is_some_and(|line| margin(line).len() > depth || trim(line).starts_with(b"{"))
}
