//! One section of a patch: what it makes of one file.

use std::sync::Arc;

use bstr::ByteSlice;

use super::draft::{Content, Draft, History};
use super::merge::merge;
use super::names;
use super::nearest::shown;
use super::place::{self, Growth, HunkMisfit, Placed, Terms, place};
use super::whole::in_shape_of;
use crate::change::{ChangeType, FileMode, FileOp, FilePatch, Format, Hunk, Line, MisfitAt, Patch, RepoPath, Strategy};
use crate::error::Result;

/// Bytes of a file in which a NUL makes it binary, as git looks.
const LOOKED_AT: usize = 8000;

/// Lines of a conflict that a message shows, of each side.
const SHOWN: usize = 6;

pub(super) fn section(draft: &mut Draft, patch: &Patch, file: &FilePatch) -> Result<()> {
    match &file.op {
        FileOp::Modify(hunks) => modify(draft, patch, file, hunks),
        FileOp::Create(bytes) => create(draft, file, bytes),
        FileOp::Write(bytes) => write(draft, file, bytes),
        FileOp::Delete(hunks) => delete(draft, patch, file, hunks),
        FileOp::Rename { from, hunks } => transfer(draft, patch, file, (from, ChangeType::Rename), hunks),
        FileOp::Copy { from, hunks } => transfer(draft, patch, file, (from, ChangeType::Copy), hunks),
    }
}

fn modify(draft: &mut Draft, patch: &Patch, file: &FilePatch, hunks: &[Hunk]) -> Result<()> {
    let path = &file.path;
    let Some(content) = draft.file(path)? else {
        return match hunks {
            // Nothing to find, so nothing to miss: a new file whose section does not say so.
            [hunk] if hunk.lines.iter().all(|line| matches!(line, Line::Add(_))) => {
                draft.note("created", path, "the file did not exist and was created");
                create(draft, file, &added_text(hunk))
            }
            _ => no_such_file(draft, path, path),
        };
    };
    if let Some(bytes) = rewrite(draft, patch, file, path, &content, hunks)? {
        draft.set(path, Content { bytes, mode: file.mode.unwrap_or(content.mode) });
    }
    Ok(())
}

fn create(draft: &mut Draft, file: &FilePatch, bytes: &[u8]) -> Result<()> {
    let path = &file.path;
    if let Some(existing) = draft.file(path)? {
        if existing.mode != FileMode::Submodule && in_shape_of(&existing.bytes, bytes) == *existing.bytes {
            draft.note("already-applied", path, "the file exists with this content");
            draft.set(path, Content { mode: file.mode.unwrap_or(existing.mode), ..existing });
        } else {
            draft.misfit(
                path,
                "exists",
                "the file exists already, with other content. Change it with hunks that fit it.",
            );
        }
        return Ok(());
    }
    if let Some(obstacle) = draft.obstacle(path)? {
        draft.misfit(path, "exists", format!("no file can be made here: {obstacle}."));
        return Ok(());
    }
    draft.used(Strategy::Exact);
    draft.set(path, Content { bytes: bytes.into(), mode: file.mode.unwrap_or(FileMode::File) });
    Ok(())
}

fn write(draft: &mut Draft, file: &FilePatch, bytes: &[u8]) -> Result<()> {
    let path = &file.path;
    let Some(existing) = draft.file(path)? else {
        create(draft, file, bytes)?;
        draft.used(Strategy::WholeFile);
        return Ok(());
    };
    if existing.mode == FileMode::Submodule {
        draft.misfit(path, "submodule", "a submodule stands there; it has no content of its own.");
        return Ok(());
    }
    let mut written = in_shape_of(&existing.bytes, bytes);
    if written != bytes {
        draft.note("shape-kept", path, "the file's own line endings and final newline were kept");
    }
    draft.used(Strategy::WholeFile);
    if let Some(base) = draft.ground.shown_content(path, file.claims.as_deref())? {
        // The provider saw an older file: what happened since is not its to undo.
        match merge(&base, &existing.bytes, &written)? {
            Ok(merged) => written = merged,
            Err(conflicts) => {
                draft.misfit(path, "conflict", conflict_message(&conflicts));
                return Ok(());
            }
        }
        draft.used(Strategy::ThreeWay);
    }
    draft.set(path, Content { bytes: written.into(), mode: file.mode.unwrap_or(existing.mode) });
    Ok(())
}

fn delete(draft: &mut Draft, patch: &Patch, file: &FilePatch, hunks: &[Hunk]) -> Result<()> {
    let path = &file.path;
    let Some(content) = draft.file(path)? else {
        let alike = names::nearest(draft.ground, path)?;
        if alike.is_empty() {
            draft.note("already-applied", path, "there is no such file to delete");
        } else {
            draft.misfit(path, "no-such-file", format!("there is no such file.{}", names::did_you_mean(&alike)));
        }
        return Ok(());
    };
    if draft.ground.shown_content(path, None)?.is_some() {
        draft.misfit(path, "conflict", "the file changed since it was shown, so it is not deleted unseen.");
        return Ok(());
    }
    if !hunks.is_empty() {
        let Some(rest) = rewrite(draft, patch, file, path, &content, hunks)? else { return Ok(()) };
        if !rest.trim().is_empty() {
            let message =
                "the file holds more than the lines that the patch removes. To delete it all the same, send no hunks.";
            draft.misfit(path, "leftover", message);
            return Ok(());
        }
    }
    draft.used(Strategy::Exact);
    draft.remove(path);
    Ok(())
}

fn transfer(
    draft: &mut Draft,
    patch: &Patch,
    file: &FilePatch,
    (from, how): (&RepoPath, ChangeType),
    hunks: &[Hunk],
) -> Result<()> {
    let path = &file.path;
    if path == from {
        return modify(draft, patch, file, hunks);
    }
    // As git has it: copies are of the file before the patch, and so are renames of a path that got another file.
    let preimage = how == ChangeType::Copy || draft.has_arrived(from);
    let source = if preimage { draft.original(from)? } else { draft.file(from)? };
    let Some(content) = source else {
        return match draft.file(path)? {
            Some(target) if how == ChangeType::Rename => already_renamed(draft, patch, file, from, &target, hunks),
            _ => no_such_file(draft, path, from),
        };
    };
    if let Some(obstacle) = draft.obstacle(path)? {
        draft.misfit(path, "exists", format!("{from} cannot come here: {obstacle}."));
        return Ok(());
    }
    let bytes = match hunks {
        [] => Some(content.bytes.clone()),
        hunks => rewrite(draft, patch, file, from, &content, hunks)?,
    };
    if let Some(bytes) = bytes {
        draft.used(Strategy::Exact);
        if how == ChangeType::Rename {
            draft.leave(from);
        }
        draft.arrive(path, Content { bytes, mode: file.mode.unwrap_or(content.mode) }, from, how);
    }
    Ok(())
}

/// The old name is gone and the new one is there: it fits if the new file holds every hunk.
fn already_renamed(
    draft: &mut Draft,
    patch: &Patch,
    file: &FilePatch,
    from: &RepoPath,
    target: &Content,
    hunks: &[Hunk],
) -> Result<()> {
    match place(&target.bytes, hunks, &terms(patch, &file.path, &History::default(), hunks)) {
        Ok(Placed { strategy: None, .. }) => {
            draft.note("already-applied", &file.path, &format!("{from} was renamed already"));
            Ok(())
        }
        _ => no_such_file(draft, &file.path, from),
    }
}

fn no_such_file(draft: &mut Draft, path: &RepoPath, missing: &RepoPath) -> Result<()> {
    let alike = names::nearest(draft.ground, missing)?;
    draft.misfit(path, "no-such-file", format!("there is no file {missing}.{}", names::did_you_mean(&alike)));
    Ok(())
}

/// The new content of a file that stands at `from`; None when a misfit was noted.
fn rewrite(
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
    let history = draft.history(from);
    let terms = terms(patch, &file.path, &history, hunks);
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
            draft.remember(from, hunks, placed.growth);
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
    let Ok(theirs) = place(base, hunks, &Terms { earlier: &[], ..terms.clone() }) else {
        return Ok(direct.map_err(Trouble::Hunks));
    };
    match (merge(base, &content.bytes, &theirs.bytes)?, direct) {
        (Ok(merged), Ok(direct)) if direct.bytes == merged => Ok(Ok(direct)),
        (Ok(merged), _) if merged == *content.bytes => Ok(Ok(Placed { bytes: merged, strategy: None, ..theirs })),
        (Ok(merged), _) => Ok(Ok(Placed {
            bytes: merged,
            strategy: Some(Strategy::ThreeWay),
            notes: [theirs.notes, vec![terms.note("merged", "merged from the file that was shown")]].concat(),
            // Where the merge put the lines is not known, so later sections get no help with their numbers.
            growth: Vec::new(),
            ..theirs
        })),
        (Err(_), Ok(direct)) if direct.verbatim => Ok(Ok(direct)),
        (Err(conflicts), _) => Ok(Err(Trouble::Conflict(conflict_message(&conflicts)))),
    }
}

fn conflict_message(conflicts: &[super::merge::Conflict]) -> String {
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

fn terms<'a>(patch: &Patch, path: &'a RepoPath, history: &'a History, hunks: &[Hunk]) -> Terms<'a> {
    let mut announced: Growth = history.announced.iter().copied().chain(place::announced(hunks)).collect();
    announced.sort_unstable();
    let mut total = 0;
    for (_, growth) in &mut announced {
        total += *growth;
        *growth = total;
    }
    let diff = matches!(patch.format, Format::GitDiff | Format::UnifiedDiff);
    Terms {
        path,
        diff,
        ordered: diff || patch.format == Format::V4a,
        honest: !patch.notes.iter().any(|note| note.code == "recount"),
        first: history.hunks + 1,
        earlier: &history.growth,
        announced,
    }
}

fn added_text(hunk: &Hunk) -> Vec<u8> {
    let mut text: Vec<u8> = hunk.lines.iter().flat_map(|line| [line.bytes(), b"\n"].concat()).collect();
    if hunk.new_no_newline {
        text.pop();
    }
    text
}
