//! What a model left out: `...` for lines of the file, or a part of a file in place of the whole.
//!
//! Only the file itself tells an elision from a line that is meant, so this is the first phase of `apply`. What is left out is a
//! misfit, except where SEARCH/REPLACE defines what `...` stands for.

mod edits;
mod everywhere;
mod filled;
mod gap;
mod markers;
mod model_tokens;
mod placeholder;
mod stripped;
mod text;
mod untagged;
mod whole;
mod words;

use std::borrow::Cow;
use std::collections::HashSet;

use super::base::ApplyBase;
use super::text::BOM;
use guardhost_core::change::{
    Author, FileMode, FileOp, FilePatch, Hunk, Misfit, MisfitAt, Note, Patch, RepoPath, Tail,
};
use guardhost_core::error::Result;
use guardhost_core::stop::Watch;

/// Whether a file of this name is written for people.
pub(super) fn is_prose(path: &RepoPath) -> bool {
    text::from_path(path, &[]) == text::TextKind::Prose
}

/// Whether the file that a section changes has such a line, as the model saw it.
///
/// # Errors
/// When the repository's objects cannot be read.
pub(super) fn has_line(
    base: &ApplyBase,
    file: &FilePatch,
    watch: &Watch,
    is_such: impl Fn(&[u8]) -> bool,
) -> Result<bool> {
    let text = lazy(base, file, watch).text()?;
    Ok(text.is_some_and(|text| lines_of(&text).into_iter().any(is_such)))
}

/// The text of the file that a section changes, as the model saw it; None if there is none.
///
/// # Errors
/// When the repository's objects cannot be read.
pub(super) fn text_of(base: &ApplyBase, file: &FilePatch, watch: &Watch) -> Result<Option<Vec<u8>>> {
    lazy(base, file, watch).text()
}

/// The patch with every elision resolved that can be, or all those that cannot.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn resolve<'p>(patch: &'p Patch, base: &ApplyBase, watch: &Watch) -> Result<Result<Cow<'p, Patch>, Misfit>> {
    let mut patch = Cow::Borrowed(patch);
    let mut misfits = Vec::new();
    for at in 0..patch.files.len() {
        let file = &patch.files[at];
        watch.checkpoint();
        if file.written_by == Author::Program {
            continue;
        }
        let of_base = lazy(base, file, watch);
        if let Some(message) = unclear(&file.op, &of_base)? {
            let message = message.to_owned();
            misfits.push(MisfitAt { path: file.path.clone(), hunk: None, code: "ambiguous", message });
            continue;
        }
        let checked = match edits::hunks(&file.op) {
            Some(hunks) => edits::checked(hunks, patch.format_of(file), &lazy(base, file, watch)),
            None => content(file, &lazy(base, file, watch)),
        };
        match checked? {
            Checked::Kept => {}
            Checked::Changed(op, note) => {
                let note = Note::new(note.0, format_args!("{}: {}", file.path, note.1));
                let patch = patch.to_mut();
                patch.files[at].op = op;
                patch.notes.push(note);
            }
            Checked::Misfit { hunk, code, message } => {
                misfits.push(MisfitAt { path: file.path.clone(), hunk, code, message });
            }
        }
    }
    if let Some(file) = patch.files.last()
        && let Some(hunks) = edits::hunks(&file.op)
        && let Some(message) = incomplete(patch.tail, hunks, &lazy(base, file, watch))?
    {
        misfits.push(MisfitAt {
            path: file.path.clone(),
            hunk: Some(hunks.len()),
            code: "incomplete",
            message: message.into(),
        });
    }
    Ok(if misfits.is_empty() { Ok(patch) } else { Err(Misfit { at: misfits }) })
}

/// Why it is not clear what a file is to become.
fn unclear(op: &FileOp, base: &BaseFile) -> Result<Option<&'static str>> {
    if stripped::is_stripped(op, base) {
        return Ok(Some(stripped::STRIPPED));
    }
    if model_tokens::are_held(op, base)? {
        return Ok(Some(model_tokens::HELD));
    }
    if untagged::is_untagged(op, base)? {
        return Ok(Some(untagged::UNTAGGED));
    }
    markers::undecided(op, base)
}

/// Why the last hunk of a reply may not be whole.
fn incomplete(tail: Tail, hunks: &[Hunk], base: &BaseFile) -> Result<Option<&'static str>> {
    Ok(match tail {
        Tail::Doubtful if !edits::ends_the_file(hunks, base, 0)? => Some(
            "it ends with less context below its change than the other hunks, and its counts are wrong: it is unclear whether the \
             patch is complete. Send it again whole, with three lines of context below each change.",
        ),
        // Elsewhere context would be missing too, on both sides.
        Tail::Short { old } if edits::ends_the_file(hunks, base, old)? => Some(
            "its header counts more lines than it has, and it ends where the file ends: the last ones may be missing. Send it \
             again whole, with the right counts.",
        ),
        Tail::Complete | Tail::Doubtful | Tail::Short { .. } => None,
    })
}

/// What became of one section.
enum Checked {
    Kept,
    /// Another operation in its place; the code and the text of the note.
    Changed(FileOp, (&'static str, &'static str)),
    Misfit {
        hunk: Option<usize>,
        code: &'static str,
        message: String,
    },
}

impl Checked {
    /// `placeholder` is left in place of lines.
    fn left_out(hunk: Option<usize>, placeholder: &[u8], why: &str) -> Self {
        Checked::Misfit { hunk, code: "left-out", message: format!("`{}` {why}", shown(placeholder)) }
    }
}

/// The file that a section changes, read when it is asked for: the lines of the version that the model saw.
struct BaseFile<'b> {
    base: &'b ApplyBase,
    file: &'b FilePatch,
    watch: &'b Watch,
}

fn lazy<'b>(base: &'b ApplyBase, file: &'b FilePatch, watch: &'b Watch) -> BaseFile<'b> {
    BaseFile { base, file, watch }
}

impl BaseFile<'_> {
    fn path(&self) -> &RepoPath {
        &self.file.path
    }

    /// None when there is no such file.
    fn text(&self) -> Result<Option<Vec<u8>>> {
        let path = match &self.file.op {
            FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => from,
            FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => &self.file.path,
        };
        if let Some(seen) = self.base.seen_content(path, self.file.claimed_blob.as_deref())? {
            return Ok(Some(seen.to_vec()));
        }
        let tree = &self.base.tree;
        match tree.objects.entry(tree.oid, path)? {
            Some(entry) if entry.mode != FileMode::Submodule => Ok(Some(tree.objects.blob(entry.oid)?.to_vec())),
            Some(_) | None => Ok(None),
        }
    }
}

/// The lines of a text without their endings, and without the byte order mark.
fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let mut lines: Vec<&[u8]> =
        text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// The lines of a file, to tell a line that is meant from one in place of others.
fn known<'t>(lines: &[&'t [u8]]) -> HashSet<&'t [u8]> {
    lines.iter().map(|line| line.trim_ascii()).collect()
}

fn content(file: &FilePatch, base: &BaseFile) -> Result<Checked> {
    match &file.op {
        FileOp::Create(bytes) => Ok(match base.text()? {
            Some(_) => Checked::Kept,
            None => whole::new_file(bytes, &file.path),
        }),
        FileOp::Write(bytes) => Ok(match base.text()? {
            Some(base) => whole::checked(bytes, &base, file),
            None => whole::new_file(bytes, &file.path),
        }),
        FileOp::Modify(_) | FileOp::Delete(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => Ok(Checked::Kept),
    }
}

/// Whether the line is more than white space.
fn is_text(line: &&[u8]) -> bool {
    !line.trim_ascii().is_empty()
}

/// A line quoted in a message: without control characters, short.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii());
    text.chars().take(80).map(|c| if c.is_control() { '?' } else { c }).collect()
}
