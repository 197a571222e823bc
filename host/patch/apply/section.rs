//! One section of a patch: what it makes of one file.

use bstr::ByteSlice;

use super::draft::{Content, Draft};
use super::merge::merge;
use super::names;
use super::place::{Placed, place};
use super::rewrite::{conflict_message, rewrite};
use super::terms::Terms;
use super::whole::in_shape_of;
use guardhost_core::change::{ChangeType, FileMode, FileOp, FilePatch, Hunk, Line, Patch, RepoPath, Strategy};
use guardhost_core::error::Result;

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
        } else if existing.mode == FileMode::File && existing.bytes.is_empty() {
            // Git's diff of an empty file has the header of a new one; there is nothing to lose.
            draft.used(Strategy::Exact);
            draft.set(path, Content { bytes: bytes.into(), mode: file.mode.unwrap_or(existing.mode) });
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
    match place(&target.bytes, hunks, &Terms::of(patch, &file.path, hunks)) {
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

fn added_text(hunk: &Hunk) -> Vec<u8> {
    let mut text: Vec<u8> = hunk.lines.iter().flat_map(|line| [line.bytes(), b"\n"].concat()).collect();
    if hunk.new_no_newline {
        text.pop();
    }
    text
}
