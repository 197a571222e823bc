//! The lines of a diff that a forge takes comments on.
//!
//! One comment beside them is refused, or taken and never shown, so it is decided here, from the diff itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::model::DiffSide;

/// The lines of every file.
#[derive(Debug, Clone, Default)]
pub struct DiffLines(BTreeMap<String, Vec<DiffHunk>>);

/// One hunk. Lines are counted from 1.
#[derive(Debug, Clone, Default)]
struct DiffHunk {
    /// Added and unchanged lines, after the change.
    right: Range<u32>,
    /// Unchanged lines: their numbers after the change and before it.
    unchanged: BTreeMap<u32, u32>,
    /// Deleted lines, before the change.
    left: BTreeSet<u32>,
}

/// Where a comment stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentPosition {
    pub path: String,
    pub side: DiffSide,
    /// The first of several lines; less than `line`.
    pub start_line: Option<u32>,
    pub line: u32,
    /// The number before the change of a line that it leaves as it is: some forges want both.
    pub old_line: Option<u32>,
}

impl DiffLines {
    /// Of a diff as `git diff` prints it. Of a file whose name is not UTF-8, and of one without hunks, no line is known.
    pub fn new(diff: &[u8]) -> Self {
        let mut found = DiffLines::default();
        let mut lines =
            diff.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line));
        let (mut old, mut new) = (None, None);
        while let Some(line) = lines.next() {
            if line.starts_with(b"diff --git ") {
                (old, new) = (None, None);
            } else if let Some(name) = line.strip_prefix(b"--- ") {
                old = path(name, "a/");
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                new = path(name, "b/");
            } else if let Some(header) = header(line) {
                // All lines of the hunk are taken by its counts: what they hold may look like a header.
                let hunk = DiffHunk::read(&header, &mut lines);
                if let Some(path) = new.as_ref().or(old.as_ref()) {
                    found.0.entry(path.clone()).or_default().push(hunk);
                }
            }
        }
        found
    }

    /// Where a comment on these lines stands; None when they are not in the diff. Of several lines that are not in one hunk, the last is taken
    /// that is in one.
    pub fn position(&self, path: &str, line: u32, end_line: Option<u32>) -> Option<CommentPosition> {
        let hunks = self.0.get(path)?;
        let end = end_line.unwrap_or(line).max(line);
        let at = |line: u32| hunks.iter().position(|hunk| hunk.right.contains(&line));
        let place = |start_line, line| {
            let old_line = hunks.iter().find_map(|hunk| hunk.unchanged.get(&line).copied());
            CommentPosition { path: path.to_owned(), side: DiffSide::Right, start_line, line, old_line }
        };
        match (at(line), at(end)) {
            (Some(first), Some(last)) if first == last && line < end => Some(place(Some(line), end)),
            (_, Some(_)) => Some(place(None, end)),
            (Some(_), None) => Some(place(None, line)),
            (None, None) => None,
        }
    }

    /// The place of a line that the change deletes.
    pub fn deleted(&self, path: &str, line: u32) -> Option<CommentPosition> {
        let is_there = self.0.get(path)?.iter().any(|hunk| hunk.left.contains(&line));
        is_there.then(|| CommentPosition {
            path: path.to_owned(),
            side: DiffSide::Left,
            start_line: None,
            line,
            old_line: None,
        })
    }

    pub fn allows(&self, place: &CommentPosition) -> bool {
        let hunks = self.0.get(&place.path).map(Vec::as_slice).unwrap_or_default();
        let first = place.start_line.unwrap_or(place.line);
        hunks.iter().any(|hunk| match place.side {
            DiffSide::Right => hunk.right.contains(&first) && hunk.right.contains(&place.line),
            DiffSide::Left => hunk.left.contains(&first) && hunk.left.contains(&place.line),
        })
    }
}

struct HunkHeader {
    old: (u32, u32),
    new: (u32, u32),
}

impl DiffHunk {
    fn read<'d>(header: &HunkHeader, lines: &mut impl Iterator<Item = &'d [u8]>) -> Self {
        let ((mut old, old_count), (first, new_count)) = (header.old, header.new);
        let (mut old_left, mut new_left, mut new) = (old_count, new_count, first);
        let (mut left, mut unchanged) = (BTreeSet::new(), BTreeMap::new());
        while old_left > 0 || new_left > 0 {
            let Some(line) = lines.next() else { break };
            match line.first() {
                Some(b'+') => {
                    new = new.saturating_add(1);
                    new_left = new_left.saturating_sub(1);
                }
                Some(b'-') => {
                    left.insert(old);
                    old = old.saturating_add(1);
                    old_left = old_left.saturating_sub(1);
                }
                // `\ No newline at end of file` is no line of the file.
                Some(b'\\') => {}
                // An unchanged line; an empty one may have lost its space on the way.
                Some(_) | None => {
                    unchanged.insert(new, old);
                    (old, new) = (old.saturating_add(1), new.saturating_add(1));
                    (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1));
                }
            }
        }
        DiffHunk { right: first..first.saturating_add(new_count), unchanged, left }
    }
}

/// `@@ -1,2 +3,4 @@ …`.
fn header(line: &[u8]) -> Option<HunkHeader> {
    let rest = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|byte| *byte == b'@').next()?).ok()?;
    let (old, new) = rest.trim_end().split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some(HunkHeader { old: range(old)?, new: range(new)? })
}

/// The path of a `---` or `+++` line; None for `/dev/null`.
fn path(name: &[u8], prefix: &str) -> Option<String> {
    // Git writes a tab after a name with spaces.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let name = match name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) {
        Some(quoted) => unquoted(quoted),
        None => name.to_vec(),
    };
    String::from_utf8(name).ok()?.strip_prefix(prefix).map(str::to_owned)
}

/// A name as C writes it: `\t`, `\"`, `\\`, `\303`.
fn unquoted(quoted: &[u8]) -> Vec<u8> {
    let (mut name, mut bytes) = (Vec::new(), quoted.iter().copied().peekable());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        name.push(match bytes.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'v') => 11,
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    let next = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)).unwrap_or(b'0');
                    value = value * 8 + u32::from(next - b'0');
                }
                value as u8
            }
            Some(other) => other,
            None => b'\\',
        });
    }
    name
}

#[cfg(test)]
mod tests {
    use super::DiffLines;

    const DIFF: &str = "diff --git a/x y.py b/x y.py\n--- a/x y.py\t\n+++ b/x y.py\t\n@@ -1,4 +1,5 @@\n a\n--- b\n+++ c\n+d\n e\n f\n@@ -20 +21 @@\n-g\n\\ No newline at end of file\n+h\ndiff --git \"a/\\303\\244\" \"b/\\303\\244\"\ndeleted file mode 100644\n--- \"a/\\303\\244\"\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";

    #[test]
    fn lines_that_look_like_headers_are_lines() {
        let lines = DiffLines::new(DIFF.as_bytes());
        let right = |line| lines.position("x y.py", line, None).is_some();
        assert_eq!((0..25).filter(|line| right(*line)).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 21]);
        let left = |line: &u32| lines.deleted("x y.py", *line).is_some();
        assert_eq!((0..25).filter(left).collect::<Vec<_>>(), [2, 20]);
        assert!(lines.deleted("ä", 1).is_some() && lines.position("ä", 1, None).is_none());
    }

    #[test]
    fn several_lines_are_one_place_within_a_hunk_alone() {
        let lines = DiffLines::new(DIFF.as_bytes());
        let at = |line, end| lines.position("x y.py", line, Some(end)).map(|place| (place.start_line, place.line));
        assert_eq!(at(2, 4), Some((Some(2), 4)));
        assert_eq!(at(2, 2), Some((None, 2)));
        assert_eq!(at(4, 21), Some((None, 21)));
        assert_eq!(at(4, 9), Some((None, 4)));
        assert_eq!(at(8, 9), None);
        assert_eq!(at(5, 2), Some((None, 5)));
        let old = |line| lines.position("x y.py", line, None).and_then(|place| place.old_line);
        assert_eq!([1, 2, 3, 4, 5, 21].map(old), [Some(1), None, None, Some(3), Some(4), None]);
    }
}
