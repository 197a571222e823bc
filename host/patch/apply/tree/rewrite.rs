//! Hunks on the content of a file, also where the file has moved on since the provider saw it.

use super::builder::{Bytes, FileContent};
use super::merge::{conflict_message, merge};
use super::section::Section;
use crate::apply::context::PatchContext;
use crate::apply::edit::{AppliedEdit, place};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use guardhost_core::change::{FileMode, Hunk, Line, RepoPath, Strategy};
use guardhost_core::error::Result;

/// Bytes of a file in which a NUL makes it binary; git's number.
const BINARY_CHECK: usize = 8000;

impl Section<'_, '_> {
    /// The new content of the file at `from`; None after a misfit.
    pub(super) fn rewrite(&mut self, from: &RepoPath, content: &FileContent, hunks: &[Hunk]) -> Result<Option<Bytes>> {
        if hunks.is_empty() {
            return Ok(Some(content.bytes.clone()));
        }
        if content.mode == FileMode::Submodule {
            self.misfit("submodule", "it is a submodule, which has no lines.");
            return Ok(None);
        }
        let bytes = self.tree.read(content)?;
        if bytes.iter().take(BINARY_CHECK).any(|byte| *byte == 0) {
            self.misfit("binary", "the file is binary, hunks of text cannot change it.");
            return Ok(None);
        }
        if adds_other_encoding(&bytes, hunks) {
            self.misfit("encoding", NOT_UTF8);
            return Ok(None);
        }
        let context = PatchContext::new(self.patch, self.file, hunks, self.tree.watch());
        let direct = place(&bytes, hunks, &context);
        let placed = match self.tree.base().seen_content(from, self.file.claimed_blob.as_deref())? {
            Some(seen) => place_and_merge(&seen, &bytes, hunks, &context, direct)?,
            None => direct.map_err(RewriteFailure::Hunks),
        };
        match placed {
            Ok(placed) => return Ok(Some(self.tree.record(placed))),
            Err(RewriteFailure::Conflict(message)) => self.misfit("conflict", message),
            Err(RewriteFailure::Hunks(misfits)) => self.tree.hunk_misfits(&self.file.path, misfits),
        }
        Ok(None)
    }
}

pub(super) const NOT_UTF8: &str = "the file is not UTF-8, and the patch adds letters beyond ASCII, which would be written in another \
                                   encoding than the file's. Write them as escapes, or convert the file first.";

/// Whether text beyond ASCII is added to a file that is not UTF-8.
fn adds_other_encoding(bytes: &[u8], hunks: &[Hunk]) -> bool {
    let mut added = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| matches!(line, Line::Add(_)));
    added.any(|line| !line.bytes().is_ascii() && std::str::from_utf8(line.bytes()).is_ok())
        && std::str::from_utf8(bytes).is_err()
}

enum RewriteFailure {
    Hunks(Vec<HunkMisfit>),
    Conflict(String),
}

/// The patch was made from the file as `seen`, where its line numbers hold: it is placed there and merged. The `direct` result,
/// on the file as it is now, counts only when that is impossible.
fn place_and_merge(
    seen: &[u8],
    now: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
    direct: Result<AppliedEdit, Vec<HunkMisfit>>,
) -> Result<Result<AppliedEdit, RewriteFailure>> {
    let theirs = match place(seen, hunks, context) {
        Ok(theirs) => theirs,
        // Later changes of the file do not decide what was ambiguous when the patch was written.
        Err(misfits) if misfits.iter().any(|misfit| misfit.kind == MisfitKind::Ambiguous) => {
            return Ok(Err(RewriteFailure::Hunks(misfits)));
        }
        Err(_) => return Ok(direct.map_err(RewriteFailure::Hunks)),
    };
    Ok(match (merge(seen, now, &theirs.bytes)?, direct) {
        (Ok(merged), Ok(direct)) if direct.bytes == merged => Ok(direct),
        (Ok(merged), _) if merged == now => Ok(AppliedEdit { bytes: merged, strategy: None, ..theirs }),
        (Ok(merged), _) => Ok(AppliedEdit {
            bytes: merged,
            strategy: Some(Strategy::ThreeWay),
            notes: [theirs.notes, vec![context.note("merged", "merged from the file that was shown")]].concat(),
            ..theirs
        }),
        (Err(_), Ok(direct)) if direct.is_verbatim => Ok(direct),
        (Err(conflicts), _) => Err(RewriteFailure::Conflict(conflict_message(&conflicts))),
    })
}
