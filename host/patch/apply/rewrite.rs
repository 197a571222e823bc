//! Hunks on the content of a file, also where the file has moved on since it was shown.

use std::sync::Arc;

use bstr::ByteSlice;

use super::draft::{Content, Draft};
use super::merge::{Conflict, merge};
use super::misfit::HunkMisfit;
use super::nearest::shown;
use super::place::{Placed, place};
use super::terms::Terms;
use guardhost_core::change::{FileMode, FilePatch, Hunk, MisfitAt, Patch, RepoPath, Strategy};
use guardhost_core::error::Result;

/// Bytes of a file in which a NUL makes it binary, as git looks.
const LOOKED_AT: usize = 8000;

/// Lines of a conflict that a message shows, of each side.
const SHOWN: usize = 6;

/// The new content of a file that stands at `from`; None when a misfit was noted.
pub(super) fn rewrite(
    draft: &mut Draft,
    patch: &Patch,
    file: &FilePatch,
    from: &RepoPath,
    content: &Content,
    hunks: &[Hunk],
) -> Result<Option<Arc<[u8]>>> {
    if hunks.is_empty() {
        return Ok(Some(content.bytes.clone()));
    }
    if content.mode == FileMode::Submodule {
        draft.misfit(&file.path, "submodule", "a submodule stands there; it has no lines.");
        return Ok(None);
    }
    if content.bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
        draft.misfit(&file.path, "binary", "the file is binary, hunks of text cannot change it.");
        return Ok(None);
    }
    let terms = Terms::of(patch, &file.path, hunks);
    let direct = place(&content.bytes, hunks, &terms);
    let placed = match draft.ground.shown_content(from, file.claims.as_deref())? {
        Some(base) => over(&base, content, hunks, &terms, direct)?,
        None => direct.map_err(Trouble::Hunks),
    };
    match placed {
        Ok(placed) => {
            if let Some(strategy) = placed.strategy {
                draft.used(strategy);
            }
            draft.notes.extend(placed.notes);
            Ok(Some(placed.bytes.into()))
        }
        Err(Trouble::Conflict(message)) => {
            draft.misfit(&file.path, "conflict", message);
            Ok(None)
        }
        Err(Trouble::Hunks(misfits)) => {
            draft.misfits.extend(misfits.into_iter().map(|HunkMisfit { hunk, code, message }| MisfitAt {
                path: file.path.clone(),
                hunk: Some(hunk),
                code,
                message,
            }));
            Ok(None)
        }
    }
}

enum Trouble {
    Hunks(Vec<HunkMisfit>),
    Conflict(String),
}

/// The file moved on since it was shown. The patch speaks of what was shown, so it is placed there, where its line numbers
/// hold, and merged; on the file as it stands it counts only when that is impossible.
fn over(
    base: &[u8],
    content: &Content,
    hunks: &[Hunk],
    terms: &Terms,
    direct: Result<Placed, Vec<HunkMisfit>>,
) -> Result<Result<Placed, Trouble>> {
    let theirs = match place(base, hunks, terms) {
        Ok(theirs) => theirs,
        // What was ambiguous where it was written is not decided by what others did since.
        Err(misfits) if misfits.iter().any(|misfit| misfit.code == "ambiguous") => {
            return Ok(Err(Trouble::Hunks(misfits)));
        }
        Err(_) => return Ok(direct.map_err(Trouble::Hunks)),
    };
    match (merge(base, &content.bytes, &theirs.bytes)?, direct) {
        (Ok(merged), Ok(direct)) if direct.bytes == merged => Ok(Ok(direct)),
        (Ok(merged), _) if merged == *content.bytes => Ok(Ok(Placed { bytes: merged, strategy: None, ..theirs })),
        (Ok(merged), _) => Ok(Ok(Placed {
            bytes: merged,
            strategy: Some(Strategy::ThreeWay),
            notes: [theirs.notes, vec![terms.note("merged", "merged from the file that was shown")]].concat(),
            ..theirs
        })),
        (Err(_), Ok(direct)) if direct.verbatim => Ok(Ok(direct)),
        (Err(conflicts), _) => Ok(Err(Trouble::Conflict(conflict_message(&conflicts)))),
    }
}

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
