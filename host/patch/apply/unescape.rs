//! A patch that was escaped for HTML as a whole. Its text alone often does not show it, since `&lt;` may be meant; the files do.

use bstr::ByteSlice;

use crate::html;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, Misfit, MisfitAt, Note, Patch};

/// The patch as it was before, if it can have been escaped: a line that a file must hold has an entity, and no line has a
/// character that escaping would have replaced.
pub(super) fn unescaped(patch: &Patch) -> Option<Patch> {
    let mut texts = Vec::new();
    let mut evident = false;
    for file in &patch.files {
        match &file.op {
            FileOp::Create(bytes) | FileOp::Write(bytes) => texts.push(bytes.as_slice()),
            FileOp::Modify(hunks)
            | FileOp::Delete(hunks)
            | FileOp::Rename { hunks, .. }
            | FileOp::Copy { hunks, .. } => {
                for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
                    texts.push(line.bytes());
                    evident |= line.is_old() && plain(line.bytes()) != line.bytes();
                }
            }
        }
    }
    if !evident || texts.iter().any(|text| text.find_byteset(b"<>").is_some()) {
        return None;
    }
    let mut notes = patch.notes.clone();
    notes.push(Note::new("html-escaped", "the whole patch was escaped for HTML, as the files show"));
    Some(Patch { files: patch.files.iter().map(file).collect(), notes, ..patch.clone() })
}

pub(super) fn unclear(patch: &Patch) -> Misfit {
    let message =
        "the patch has &lt; and the like where the file may not. Send it with <, > and & as the file has them.";
    let at =
        |file: &FilePatch| MisfitAt { path: file.path.clone(), hunk: None, code: "ambiguous", message: message.into() };
    Misfit { at: patch.files.iter().map(at).collect() }
}

fn file(file: &FilePatch) -> FilePatch {
    let op = match &file.op {
        FileOp::Modify(hunks) => FileOp::Modify(self::hunks(hunks)),
        FileOp::Create(bytes) => FileOp::Create(plain(bytes)),
        FileOp::Write(bytes) => FileOp::Write(plain(bytes)),
        FileOp::Delete(hunks) => FileOp::Delete(self::hunks(hunks)),
        FileOp::Rename { from, hunks } => FileOp::Rename { from: from.clone(), hunks: self::hunks(hunks) },
        FileOp::Copy { from, hunks } => FileOp::Copy { from: from.clone(), hunks: self::hunks(hunks) },
    };
    FilePatch { op, ..file.clone() }
}

fn hunks(hunks: &[Hunk]) -> Vec<Hunk> {
    let line = |line: &Line| match line {
        Line::Context(bytes) => Line::Context(plain(bytes)),
        Line::Remove(bytes) => Line::Remove(plain(bytes)),
        Line::Add(bytes) => Line::Add(plain(bytes)),
    };
    let hunk = |hunk: &Hunk| Hunk {
        lines: hunk.lines.iter().map(line).collect(),
        anchors: hunk.anchors.iter().map(|anchor| plain(anchor)).collect(),
        ..hunk.clone()
    };
    hunks.iter().map(hunk).collect()
}

fn plain(text: &[u8]) -> Vec<u8> {
    html::decode(text).0
}
