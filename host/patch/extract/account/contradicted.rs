//! Words that rule out what the patch writes: `99 (not 49)` above a patch that writes 49.

use std::collections::HashSet;

use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line};

/// The numbers and names of the lines that edits add, and those of the lines that they take or keep.
pub(super) struct Written {
    added: HashSet<Vec<u8>>,
    old: HashSet<Vec<u8>>,
    /// One number in the place of another.
    has_replaced: bool,
}

impl Written {
    pub fn by(edits: &[&FilePatch]) -> Self {
        let mut written = Written { added: HashSet::new(), old: HashSet::new(), has_replaced: false };
        let mut removed: HashSet<Vec<u8>> = HashSet::new();
        for hunk in edits.iter().flat_map(|edit| hunks(&edit.op)) {
            for line in &hunk.lines {
                let set = if matches!(line, Line::Add(_)) { &mut written.added } else { &mut written.old };
                set.extend(tokens(line.bytes()).map(<[u8]>::to_vec));
                if matches!(line, Line::Remove(_)) {
                    removed.extend(tokens(line.bytes()).map(<[u8]>::to_vec));
                }
            }
        }
        let is_gone = removed.iter().any(|number| !written.added.contains(number));
        written.has_replaced = is_gone && written.added.iter().any(|number| !written.old.contains(number));
        written
    }

    /// Whether the line says `not` of a number that the patch writes and the file did not have there.
    pub fn is_ruled_out(&self, line: &[u8]) -> bool {
        let words: Vec<&[u8]> = line.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()).collect();
        let is_new = |word: &[u8]| {
            word.first().is_some_and(u8::is_ascii_digit) && self.added.contains(word) && !self.old.contains(word)
        };
        let others =
            |at: usize| words[..at].iter().any(|word| word.first().is_some_and(u8::is_ascii_digit) && !is_new(word));
        words.windows(2).enumerate().any(|(at, pair)| {
            pair[0].eq_ignore_ascii_case(b"not") && is_new(pair[1].trim_end_with(|c| c == '.')) && others(at)
        })
    }

    /// Whether the edits have the number, or one that may be the same in another unit: 0.21 is 21 %, and 120 may be 2 minutes.
    fn has_multiple_of(&self, told: &[u8]) -> bool {
        let value = |number: &[u8]| String::from_utf8_lossy(&digits(number)).parse::<u64>().ok();
        self.added.iter().chain(&self.old).any(|number| {
            number == told
                || matches!((value(number), value(told)), (Some(all), Some(part)) if part == 0 || all % part == 0)
        })
    }

    /// Whether the line says what number is set (`I set it to 14 days`), where the patch puts another number in the place of one. A
    /// number that the patch has anywhere contradicts nothing.
    pub(super) fn is_missed(&self, line: &[u8]) -> bool {
        const SETTING: [&str; 11] = [
            "set",
            "sets",
            "raise",
            "raised",
            "raises",
            "increase",
            "increased",
            "lower",
            "lowered",
            "reduced",
            "changed",
        ];
        let text = line.to_str_lossy().to_lowercase();
        self.has_replaced
            && text.split(". ").any(|sentence| {
                let words: Vec<&str> =
                    sentence.split([' ', '(', ')', ',', ';']).filter(|word| !word.is_empty()).collect();
                let numbers: Vec<&[u8]> = words.iter().flat_map(|word| tokens(word.as_bytes())).collect();
                let is_known = |number: &&[u8]| self.has_multiple_of(number.trim_end_with(|c| c == '.'));
                let is_number = |word: &&&str| {
                    let word = word.trim_end_matches('.');
                    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
                };
                let is_target =
                    |at: usize| words[at] == "to" && words[at + 1..].iter().take(2).any(|word| is_number(&word));
                words.iter().any(|word| SETTING.contains(word))
                    && (0..words.len()).any(is_target)
                    && !numbers.iter().any(is_known)
            })
    }
}

fn digits(number: &[u8]) -> Vec<u8> {
    number.iter().copied().filter(u8::is_ascii_digit).collect()
}

fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_digit() && *byte != b'.')
        .filter(|word| word.first().is_some_and(u8::is_ascii_digit))
}

pub(super) fn hunks(op: &FileOp) -> &[Hunk] {
    match op {
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => hunks,
        FileOp::Delete(_) | FileOp::Create(_) | FileOp::Write(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::Written;
    use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, RepoPath};

    fn is_missed(old: &str, new: &str, told: &str) -> bool {
        let lines = vec![Line::Remove(old.into()), Line::Add(new.into())];
        let hunk = Hunk { lines, ..Hunk::default() };
        let edit = FilePatch::new(RepoPath::from("a.py"), FileOp::Modify(vec![hunk]));
        Written::by(&[&edit]).is_missed(told.as_bytes())
    }

    #[test]
    fn numbers_that_are_told_and_not_written() {
        assert!(is_missed("days = 30", "days = 60", "As you asked, I set it to 14 days."));
        assert!(is_missed("image: redis:6", "image: redis:5", "I set it to redis 7."));
        assert!(!is_missed("days = 30", "days = 60", "I set it to 60 days."));
        assert!(!is_missed("tax = 0.19", "tax = 0.21", "Raise the tax to 21 %."));
        assert!(!is_missed("wait = 30", "wait = 120", "I raised it to 2 minutes."));
        assert!(!is_missed("a(b)", "a(c)", "Set it to 14."));
    }
}
