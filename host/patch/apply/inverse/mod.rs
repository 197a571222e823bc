//! Damage that one function did to all lines of a patch. Its text alone often does not show it, since `&lt;` or `\_` may be meant; the
//! files do. So the inverse is applied to every line, added ones too, or to none, and only if then every old line fits.

mod damage;
mod tabs;
mod unmeant;
mod whole_file;
mod written;

use super::base::ApplyBase;
use super::left_out::{has_line, text_of as base_text};
use damage::{DAMAGES, Damage};
use guardhost_core::change::{Author, FileOp, FilePatch, Hunk, Line, Misfit, MisfitAt, Note, Patch};
use guardhost_core::error::Result;
use guardhost_core::stop::Watch;
pub(super) use tabs::retabbed;
pub(super) use whole_file::restored;
use written::Written;

/// The patch as it was before, for each damage that can have been done to it.
pub(super) fn undone(patch: &Patch) -> impl Iterator<Item = Patch> {
    DAMAGES.iter().filter_map(|damage| damage.undone(patch))
}

/// A line that the patch adds and nobody writes so, while no line of the file shows the damage: written as it is it would be wrong, and
/// undone nothing would confirm it.
///
/// # Errors
/// When the repository's objects cannot be read.
pub(super) fn unmeant(patch: &Patch, base: &ApplyBase, watch: &Watch) -> Result<Option<Misfit>> {
    let is_model = |file: &&FilePatch| file.written_by != Author::Program;
    for file in patch.files.iter().filter(is_model) {
        watch.checkpoint();
        let written = Written::to(&file.path);
        for damage in &DAMAGES {
            let lines = || hunks(&file.op).iter().flat_map(|hunk| &hunk.lines);
            let is_damaged = |line: &&Line| matches!(line, Line::Add(_)) && (damage.is_unmeant)(line.bytes(), written);
            let Some(line) = lines().find(is_damaged) else { continue };
            // What the file or the patch has elsewhere is meant here too, or undone everywhere.
            let is_meant = |line: &[u8]| (damage.is_unmeant)(line, written) || (damage.is_kept)(line);
            let is_old = |file: &FilePatch| {
                let written = Written::to(&file.path);
                let is_shown = |line: &[u8]| (damage.is_unmeant)(line, written) || (damage.is_kept)(line);
                let old = |line: &Line| line.is_old() && is_shown(line.bytes());
                hunks(&file.op).iter().flat_map(|hunk| &hunk.lines).any(old)
            };
            // An old line of the patch that its file does not have so was damaged alike, and tells nothing unless all can be undone.
            let mut is_excused = has_line(base, file, watch, is_meant)?;
            for file in patch.files.iter().filter(|file| is_old(file)) {
                if is_excused {
                    break;
                }
                let written = Written::to(&file.path);
                let is_shown = |line: &[u8]| (damage.is_unmeant)(line, written) || (damage.is_kept)(line);
                is_excused = damage.undone(patch).is_some() || has_line(base, file, watch, is_shown)?;
            }
            if is_excused {
                continue;
            }
            let message = format!(
                "the added line {:?} has characters that a program may have put there ({}). Send it with the characters that the \
                 file is to have.",
                String::from_utf8_lossy(line.bytes()),
                damage.code
            );
            let at = MisfitAt { path: file.path.clone(), hunk: None, code: "ambiguous", message };
            return Ok(Some(Misfit { at: vec![at] }));
        }
    }
    Ok(None)
}

fn hunks(op: &FileOp) -> &[Hunk] {
    match op {
        FileOp::Modify(hunks) | FileOp::Delete(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => {
            hunks
        }
        FileOp::Create(_) | FileOp::Write(_) => &[],
    }
}

pub(super) fn unclear(patch: &Patch) -> Misfit {
    let message = "the patch has &lt; and the like where the file may not, and fits in two ways. Send it with the characters of the \
                   file.";
    let at =
        |file: &FilePatch| MisfitAt { path: file.path.clone(), hunk: None, code: "ambiguous", message: message.into() };
    Misfit { at: patch.files.iter().map(at).collect() }
}

impl Damage {
    /// None if the damage cannot have been done to the patch as a whole: no line that a file must hold shows it, or a line has what it
    /// would have replaced.
    fn undone(&self, patch: &Patch) -> Option<Patch> {
        let mut is_evident = false;
        for file in &patch.files {
            match &file.op {
                FileOp::Create(bytes) | FileOp::Write(bytes) => {
                    let is_same = (self.undo)(bytes).is_some_and(|plain| plain == *bytes);
                    if (self.is_left)(bytes) || !self.is_of_files && !is_same {
                        return None;
                    }
                }
                FileOp::Modify(hunks)
                | FileOp::Delete(hunks)
                | FileOp::Rename { hunks, .. }
                | FileOp::Copy { hunks, .. } => {
                    for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
                        let plain = (self.undo)(line.bytes()).filter(|_| !(self.is_left)(line.bytes()))?;
                        is_evident |= line.is_old() && plain != line.bytes();
                    }
                }
            }
        }
        if !is_evident {
            return None;
        }
        let mut notes = patch.notes.clone();
        notes.push(Note::new(self.code, self.words));
        Some(Patch { files: patch.files.iter().map(|file| self.file(file)).collect(), notes, ..patch.clone() })
    }

    fn file(&self, file: &FilePatch) -> FilePatch {
        with_text(file, |text| (self.undo)(text).unwrap_or_else(|| text.to_vec()))
    }
}

/// The section with another text for each of its lines, for the whole of a file that it writes.
fn with_text(file: &FilePatch, plain: impl Fn(&[u8]) -> Vec<u8>) -> FilePatch {
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
    let all = |hunks: &[Hunk]| hunks.iter().map(hunk).collect();
    let op = match &file.op {
        FileOp::Modify(hunks) => FileOp::Modify(all(hunks)),
        FileOp::Create(bytes) => FileOp::Create(plain(bytes)),
        FileOp::Write(bytes) => FileOp::Write(plain(bytes)),
        FileOp::Delete(hunks) => FileOp::Delete(all(hunks)),
        FileOp::Rename { from, hunks } => FileOp::Rename { from: from.clone(), hunks: all(hunks) },
        FileOp::Copy { from, hunks } => FileOp::Copy { from: from.clone(), hunks: all(hunks) },
    };
    FilePatch { op, ..file.clone() }
}
