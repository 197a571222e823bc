//! Three-way merge of one file, in memory, by libgit2's diff3.

use crate::apply::locate::shown;
use bstr::ByteSlice;
use git2::{MergeFileInput, MergeFileOptions, merge_file};

use guardhost_core::error::Result;

/// Lines of a conflict that a message shows, of each side.
const SHOWN: usize = 6;

/// Longer than any row of marks in a file, so that the conflicts can be found again in the merged text.
const MARKER: u16 = 61;

/// Two changes of the same lines.
pub(super) struct Conflict {
    /// What the tree holds now.
    pub ours: Vec<u8>,
    /// What the patch changes it to.
    pub theirs: Vec<u8>,
}

/// `ours` with the changes from `base` to `theirs`, or every place that both changed.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Result<Vec<u8>, Vec<Conflict>>> {
    if ours == base || ours == theirs {
        return Ok(Ok(theirs.to_vec()));
    }
    let mut options = MergeFileOptions::new();
    options.marker_size(MARKER);
    let [base, ours, theirs] = [base, ours, theirs].map(|bytes| {
        let mut input = MergeFileInput::new();
        input.content(bytes);
        input
    });
    let merged = merge_file(&base, &ours, &theirs, Some(&mut options))?;
    Ok(if merged.is_automergeable() { Ok(merged.content().to_vec()) } else { Err(conflicts(merged.content())) })
}

fn conflicts(marked: &[u8]) -> Vec<Conflict> {
    let is_marker =
        |line: &[u8], byte: u8| line.len() >= MARKER as usize && line[..MARKER as usize].iter().all(|b| *b == byte);
    let mut found = Vec::new();
    let mut open: Option<(Conflict, bool)> = None;
    for line in bstr::ByteSlice::lines_with_terminator(marked) {
        match &mut open {
            None if is_marker(line, b'<') => {
                open = Some((Conflict { ours: Vec::new(), theirs: Vec::new() }, false));
            }
            None => {}
            Some((_, second)) if is_marker(line, b'=') => *second = true,
            Some(_) if is_marker(line, b'>') => found.extend(open.take().map(|(conflict, _)| conflict)),
            Some((conflict, false)) => conflict.ours.extend_from_slice(line),
            Some((conflict, true)) => conflict.theirs.extend_from_slice(line),
        }
    }
    found
}

/// What a conflict looks like, for the provider.
pub(super) fn conflict_message(conflicts: &[Conflict]) -> String {
    let quoted = |bytes: &[u8]| {
        let lines: Vec<String> = bytes.lines().take(SHOWN).map(|line| format!("    {}", shown(line))).collect();
        if lines.is_empty() { "    (nothing)".to_owned() } else { lines.join("\n") }
    };
    let mut message = "the file changed since it was shown, and the patch changes the same lines.".to_owned();
    if let Some(first) = conflicts.first() {
        message +=
            &format!("\nThe file now reads\n{}\nwhere the patch wants\n{}", quoted(&first.ours), quoted(&first.theirs));
    }
    if conflicts.len() > 1 {
        message += &format!("\nand so in {} more places.", conflicts.len() - 1);
    }
    message
}
