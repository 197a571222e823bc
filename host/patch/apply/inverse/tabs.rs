//! Tabs that were expanded to blanks in all margins of a patch, as chat windows and terminals do: added lines have lost theirs too.

use super::{hunks, with_text};
use crate::apply::base::ApplyBase;
use crate::apply::left_out::has_line;
use crate::apply::text::{has_text, margin};
use guardhost_core::change::{Author, FilePatch, HeaderCounts, Line, Note, Patch};
use guardhost_core::error::Result;
use guardhost_core::stop::Watch;

/// Tab widths of editors and terminals, in columns.
const WIDTHS: [usize; 4] = [8, 4, 2, 3];

/// The patch with tabs in its margins, for each width that they may have had. It is meant only if every old line then stands in its
/// file as it is. Nothing where a patch has a tab in a margin, or has other damage.
///
/// # Errors
/// When the repository's objects cannot be read.
pub(in crate::apply) fn retabbed(patch: &Patch, base: &ApplyBase, watch: &Watch) -> Result<Vec<Patch>> {
    if patch.header_counts == HeaderCounts::Repaired {
        return Ok(Vec::new());
    }
    let mut expanded = Vec::with_capacity(patch.files.len());
    for file in &patch.files {
        watch.checkpoint();
        let is_indented = |line: &[u8]| line.starts_with(b"\t") && has_text(line);
        expanded.push(may_be_expanded(file) && has_line(base, file, watch, is_indented)?);
    }
    if !expanded.contains(&true) {
        return Ok(Vec::new());
    }
    let with_width = |width: usize| {
        let file = |(file, is_expanded): (&FilePatch, &bool)| match is_expanded {
            true => with_text(file, |line| retab(line, width)),
            false => file.clone(),
        };
        let mut notes = patch.notes.clone();
        notes.push(Note::new("tabs", "the tabs of the patch were blanks; all its lines were indented as the file is"));
        Patch { files: patch.files.iter().zip(&expanded).map(file).collect(), notes, ..patch.clone() }
    };
    Ok(WIDTHS.iter().map(|width| with_width(*width)).collect())
}

/// Whether blanks alone indent the lines of a patch, old ones among them.
fn may_be_expanded(file: &FilePatch) -> bool {
    let lines = || hunks(&file.op).iter().flat_map(|hunk| &hunk.lines).filter(|line| has_text(line.bytes()));
    let is_indented = |line: &Line| line.is_old() && margin(line.bytes()).len() >= WIDTHS[2];
    file.written_by != Author::Program
        && lines().any(is_indented)
        && lines().all(|line| !margin(line.bytes()).contains(&b'\t'))
}

fn retab(line: &[u8], width: usize) -> Vec<u8> {
    let blanks = margin(line).len();
    let mut text = vec![b'\t'; blanks / width];
    text.resize(blanks / width + blanks % width, b' ');
    text.extend_from_slice(&line[blanks..]);
    text
}
