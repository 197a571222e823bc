//! A first version of a patch that the reply replaces by a second one, where the structure proves that only one can be meant.
//!
//! Words that take a patch back do not tell what is left. But where every hunk of the first version is of lines that the second one
//! still has as the file's, the first cannot have been made before the second, and the second is all that is left of both.

use std::ops::Range;

use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, PatchFormat};

use super::super::lines::{Lines, blank};
use super::super::{Notes, names};
use super::alternatives::points_back;
use super::contradicted::hunks;
use super::doubt::{asks_for_choice, offers_choice};
use super::foreign::denies_at_the_end;
use super::second_thought::is_second_thought;
use super::turns::begins_turn;
use super::{OpenAccount, Seen};

/// Pairs of lines that are compared: a thousand lines with a thousand others.
const COMPARED: usize = 1_000_000;

impl OpenAccount {
    /// Leaves the first of two patches out, with the words between them, if these take it back and the second one covers it.
    pub fn leave_superseded_out(
        &mut self,
        files: &mut Vec<(PatchFormat, FilePatch)>,
        lines: &Lines,
        notes: &mut Notes,
    ) {
        let Some((first, second)) = self.two_patches(lines) else { return };
        let (kept, above) = (self.edit_number(second.start), self.edit_number(first.start));
        let (Some(kept), Some(0)) = (kept, above) else { return };
        let Some((drafts, finals)) = files.split_at_checked(kept) else { return };
        let between = self.runs[first.end - 1].0.end..self.runs[second.start].0.start;
        let size = |files: &[(PatchFormat, FilePatch)]| -> usize {
            files.iter().flat_map(|(_, file)| hunks(&file.op)).map(|hunk| hunk.lines.len()).sum()
        };
        if size(drafts).saturating_mul(size(finals)) > COMPARED {
            return;
        }
        let text = &lines[between.clone()];
        let takes_back = text.iter().any(|line| is_second_thought(line) || points_back(line));
        let leaves_open = |line: &&[u8]| asks_for_choice(line) || offers_choice(line) || begins_turn(line);
        let introduction = text.iter().rev().find(|line| !blank(line) && !names::is_frame(line));
        let is_open = text.iter().any(leaves_open) || introduction.is_some_and(|line| denies_at_the_end(line));
        let is_covered = |(_, draft): &(PatchFormat, FilePatch)| finals.iter().any(|(_, last)| covers(last, draft));
        if !takes_back || is_open || !drafts.iter().all(is_covered) {
            return;
        }
        notes.add("superseded", "the reply replaces its first patch, of the same lines; the second one counts");
        files.drain(..kept);
        let draft = self.runs[first.start].0.start..between.end;
        self.runs.drain(first.start..second.start);
        self.runs.insert(first.start, (draft, Seen::Reading));
        for (_, seen) in &mut self.runs {
            if let Seen::Edit { number, .. } = seen {
                *number -= kept;
            }
        }
    }

    /// The runs of the only two patches that have text between them, and no other patch beside them.
    fn two_patches(&self, lines: &Lines) -> Option<(Range<usize>, Range<usize>)> {
        let mut patches: Vec<Range<usize>> = Vec::new();
        let mut is_open = false;
        for (nth, (range, seen)) in self.runs.iter().enumerate() {
            match (seen, patches.last_mut()) {
                (Seen::Edit { .. }, Some(last)) if is_open => last.end = nth + 1,
                (Seen::Edit { .. }, _) => {
                    patches.push(nth..nth + 1);
                    is_open = true;
                }
                (Seen::Unread { .. }, _) if lines[range.clone()].iter().any(|line| !blank(line)) => is_open = false,
                (Seen::Unread { .. } | Seen::Frame, _) => {}
                // Whatever else the reply shows may belong to either.
                (Seen::Block(_) | Seen::Reading, _) => return None,
            }
        }
        match patches.as_slice() {
            [first, second] => Some((first.clone(), second.clone())),
            _ => None,
        }
    }

    fn edit_number(&self, nth: usize) -> Option<usize> {
        match self.runs.get(nth)?.1 {
            Seen::Edit { number, .. } => Some(number),
            Seen::Frame | Seen::Block(_) | Seen::Reading | Seen::Unread { .. } => None,
        }
    }
}

/// Whether each hunk of the draft changes lines that the last version changes too, and quotes as they were.
fn covers(last: &FilePatch, draft: &FilePatch) -> bool {
    let (FileOp::Modify(_), FileOp::Modify(_)) = (&last.op, &draft.op) else { return false };
    let (ours, theirs) = (hunks(&last.op), hunks(&draft.op));
    last.path == draft.path
        && !theirs.is_empty()
        && theirs.iter().all(|hunk| ours.iter().any(|last| redoes(last, hunk)))
}

/// Whether a hunk has the changed lines of another one among its old lines, with the same lines around them, and changes them.
fn redoes(last: &Hunk, draft: &Hunk) -> bool {
    let Some(place) = place(draft) else { return false };
    let (ours, theirs) = (old_lines(last), old_lines(draft));
    let shorter = ours.len().min(theirs.len());
    // How far the first old line of the draft is below the first of the last version.
    let offsets = 0..(ours.len() + theirs.len()).saturating_sub(1);
    offsets.into_iter().any(|offset| {
        let (skipped, from) = (theirs.len().saturating_sub(offset + 1), (offset + 1).saturating_sub(theirs.len()));
        let shared = (ours.len() - from).min(theirs.len() - skipped);
        let is_same = (0..shared).all(|nth| text(last, ours[from + nth]) == text(draft, theirs[skipped + nth]));
        let is_telling = shared == shorter || shared >= TELLING;
        if !is_same || !is_telling || place.start < skipped || place.end > skipped + shared {
            return false;
        }
        let within = ours[from + place.start - skipped]..=ours[from + place.end - 1 - skipped];
        let changes = |lines: &[Line]| lines.iter().any(|line| !matches!(line, Line::Context(_)));
        shared == theirs.len() && shared == ours.len() || changes(&last.lines[within])
    })
}

/// Lines with which two hunks that begin and end elsewhere share a place.
const TELLING: usize = 3;

/// The old lines that the hunk changes, from the first to the last, by their number among its old lines; of one that only adds, the
/// two around what it adds.
fn place(hunk: &Hunk) -> Option<Range<usize>> {
    let is_change = |line: &Line| !matches!(line, Line::Context(_));
    let first = hunk.lines.iter().position(is_change)?;
    let last = hunk.lines.iter().rposition(is_change)?;
    let old_until = |end: usize| hunk.lines[..end].iter().filter(|line| line.is_old()).count();
    let (from, to) = (old_until(first), old_until(last + 1));
    match to > from {
        true => Some(from..to),
        false => Some(from.checked_sub(1)?..to + 1).filter(|range| range.end <= old_until(hunk.lines.len())),
    }
}

fn old_lines(hunk: &Hunk) -> Vec<usize> {
    (0..hunk.lines.len()).filter(|at| hunk.lines[*at].is_old()).collect()
}

fn text(hunk: &Hunk, at: usize) -> &[u8] {
    hunk.lines[at].bytes().trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::redoes;
    use guardhost_core::change::{Hunk, Line};

    fn hunk(text: &str) -> Hunk {
        let line = |text: &str| match text.split_at(1) {
            ("-", rest) => Line::Remove(rest.into()),
            ("+", rest) => Line::Add(rest.into()),
            (_, rest) => Line::Context(rest.into()),
        };
        Hunk { lines: text.lines().map(line).collect(), ..Hunk::default() }
    }

    #[test]
    fn a_second_version_of_the_same_lines() {
        let draft = hunk(" a\n-b\n+c\n d");
        assert!(redoes(&hunk("-b\n+e"), &draft));
        assert!(redoes(&hunk(" z\n a\n-b\n+c\n d\n-e"), &draft));
        // It goes on from the first one, or leaves its place as it is.
        assert!(!redoes(&hunk("-c\n+e"), &draft));
        assert!(!redoes(&hunk(" b\n-d"), &draft));
        // A line that the file has elsewhere as well.
        assert!(!redoes(&hunk(" g\n-b\n+e"), &hunk(" f\n-b\n+c")));
        assert!(redoes(&hunk(" a\n+x\n b"), &hunk(" a\n+y\n b")));
        assert!(!redoes(&hunk(" a\n b\n+x\n c"), &hunk(" a\n+y\n b\n d")));
    }
}
