//! What the edits of a reply show: the names and numbers of their files, and of the lines that they quote and write.

use std::collections::BTreeSet;

use super::contradicted::hunks;
use guardhost_core::change::{FileOp, FilePatch};

/// Letters of a word that says something.
const SHORTEST: usize = 3;

pub(super) struct Evidence<'e> {
    names: BTreeSet<&'e [u8]>,
}

impl<'e> Evidence<'e> {
    pub fn of(edits: &[&'e FilePatch]) -> Self {
        let mut evidence = Evidence { names: BTreeSet::new() };
        for edit in edits {
            evidence.add(edit.path.as_bytes());
            for hunk in hunks(&edit.op) {
                hunk.anchors.iter().for_each(|anchor| evidence.add(anchor));
                hunk.lines.iter().for_each(|line| evidence.add(line.bytes()));
            }
            match &edit.op {
                FileOp::Create(text) | FileOp::Write(text) => evidence.add(text),
                FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => evidence.add(from.as_bytes()),
                FileOp::Modify(_) | FileOp::Delete(_) => {}
            }
        }
        evidence
    }

    fn add(&mut self, text: &'e [u8]) {
        self.names.extend(names_of(text));
    }

    pub fn has(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        let first = self.names.range(name..).next();
        first.is_some_and(|own| *own == name || is_digest(name) && own.starts_with(name))
    }
}

/// Digits of an abbreviated digest, which stands for the whole one.
const DIGEST: usize = 7;

/// Whether the name is the beginning of a digest.
pub(super) fn is_digest(name: &[u8]) -> bool {
    name.len() >= DIGEST && name.iter().all(u8::is_ascii_hexdigit)
}

/// The names and numbers in a text.
pub(super) fn names_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let is_number = |word: &[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_digit);
    text.split(move |byte| !is_part(byte)).filter(move |word| word.len() >= SHORTEST || is_number(word))
}

#[cfg(test)]
mod tests {
    use super::Evidence;
    use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, RepoPath};

    #[test]
    fn names_and_numbers() {
        let lines = vec![Line::Remove("maxItems = 10".into()), Line::Add("max_items = 20".into())];
        let hunk = Hunk { lines, ..Hunk::default() };
        let edit = FilePatch::new(RepoPath::from("src/a.py"), FileOp::Modify(vec![hunk]));
        let evidence = Evidence::of(&[&edit]);
        assert!(["maxItems", "max_items", "20", "src"].iter().all(|name| evidence.has(name)));
        assert!(!evidence.has("items"));
        assert!(!evidence.has("maxIt"));
    }
}
