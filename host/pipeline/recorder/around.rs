//! The lines that stand around a change and around what guards found, for readers who have the records and not the repository.

use std::collections::BTreeSet;
use std::ops::Range;

use guardhost_core::change::{Candidate, FileChange, Judgement};
use guardhost_core::error::Result;
use guardhost_core::sensitive::hidden;
use guardhost_git::{Hunk, hunks};
use guardhost_report::journal::quoted_name;

/// Lines on each side of a hunk: about a screen with the hunk in it.
const AROUND_HUNKS: usize = 20;
/// Lines on each side of a line with a finding.
const AROUND_FINDINGS: usize = 3;
/// Lines on each side of a hunk that the diff of the change has itself.
const IN_DIFF: usize = 3;
/// Maximum size of a file whose lines are kept, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// Maximum bytes of all lines of a round.
const MAX_BYTES: usize = 256 << 10;

/// As a git diff whose hunks change nothing; empty where nothing stands around. A file that holds credentials is left out: what of it is
/// not changed was shown to nobody yet.
///
/// # Errors
/// The objects cannot be read.
pub fn around(candidate: &Candidate, judgement: &Judgement) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for file in &candidate.files {
        let path = file.path.to_string();
        let findings = judgement.evidence.iter().flat_map(|evidence| evidence.verdict.findings());
        let of_file = findings.filter(|finding| finding.path.as_deref() == Some(&path) && !finding.is_secret);
        let found: BTreeSet<usize> = of_file.filter_map(|finding| finding.line.map(|line| line as usize)).collect();
        add_file(&mut text, candidate, file, &found)?;
        if text.len() >= MAX_BYTES {
            break;
        }
    }
    Ok(text)
}

fn add_file(text: &mut Vec<u8>, candidate: &Candidate, file: &FileChange, found: &BTreeSet<usize>) -> Result<()> {
    // Of a new file and of a deleted one the diff has all lines.
    let (Some(before), Some(after)) = (file.before, file.after) else { return Ok(()) };
    if before.size.max(after.size) > MAX_FILE {
        return Ok(());
    }
    let (old, new) = (candidate.objects.blob(before.oid)?, candidate.objects.blob(after.oid)?);
    let old_path = file.old_path.as_ref().unwrap_or(&file.path);
    if [(old_path, &old), (&file.path, &new)].iter().any(|(path, bytes)| hidden(path, bytes).is_some()) {
        return Ok(());
    }
    let changes = hunks(&old, &new)?;
    let lines: Vec<&[u8]> = new.split_inclusive(|byte| *byte == b'\n').collect();
    let passages = passages(&changes, found, lines.len());
    if passages.is_empty() || new.contains(&0) {
        return Ok(());
    }
    let (old_name, new_name) = (quoted_name(b"a/", old_path), quoted_name(b"b/", &file.path));
    for part in
        [b"diff --git ".as_slice(), &old_name, b" ", &new_name, b"\n--- ", &old_name, b"\n+++ ", &new_name, b"\n"]
    {
        text.extend_from_slice(part);
    }
    for Excerpt { lines: shown, shift } in passages {
        if text.len() >= MAX_BYTES {
            break;
        }
        let count = shown.len();
        let (from_old, from_new) = (shown.start as isize + 1 - shift, shown.start + 1);
        text.extend(format!("@@ -{from_old},{count} +{from_new},{count} @@\n").bytes());
        for line in &lines[shown] {
            text.push(b' ');
            text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                text.push(b'\n');
            }
        }
    }
    Ok(())
}

/// Lines of the new text, from 0, that change nothing.
#[derive(Debug, PartialEq)]
struct Excerpt {
    lines: Range<usize>,
    /// How much larger the number of each line is than in the old text.
    shift: isize,
}

fn passages(changes: &[Hunk], found: &BTreeSet<usize>, lines: usize) -> Vec<Excerpt> {
    let near = |range: &Range<usize>, by: usize| range.start.saturating_sub(by)..(range.end + by).min(lines);
    let mut wanted = vec![false; lines];
    for change in changes {
        wanted[near(&change.new, AROUND_HUNKS)].fill(true);
    }
    // A guard may name a line that is not there.
    for line in found.iter().map(|line| line.saturating_sub(1)).filter(|line| *line < lines) {
        wanted[near(&(line..line + 1), AROUND_FINDINGS)].fill(true);
    }
    for change in changes {
        wanted[near(&change.new, IN_DIFF)].fill(false);
    }
    let mut passages: Vec<Excerpt> = Vec::new();
    for line in (0..lines).filter(|line| wanted[*line]) {
        let above = changes.iter().rev().find(|change| change.new.end <= line);
        let shift = above.map_or(0, |change| change.new.end as isize - change.old.end as isize);
        match passages.last_mut().filter(|last| last.lines.end == line) {
            Some(last) => last.lines.end = line + 1,
            None => passages.push(Excerpt { lines: line..line + 1, shift }),
        }
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_is_what_the_diff_does_not_show() {
        // One line became two in the middle of 100, and three were removed further down.
        let changes = [Hunk { old: 50..51, new: 50..52 }, Hunk { old: 70..73, new: 71..71 }];
        let found = BTreeSet::from([2, 52, 10_000]);
        let passage = |lines, shift| Excerpt { lines, shift };
        let expected = [passage(0..5, 0), passage(30..47, 0), passage(55..68, 1), passage(74..91, -2)];
        assert_eq!(passages(&changes, &found, 98), expected);
        assert_eq!(passages(&changes[..1], &BTreeSet::new(), 52), [passage(30..47, 0)], "the end of the file");
        assert_eq!(passages(&[], &BTreeSet::new(), 0), []);
    }
}
