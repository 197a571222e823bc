//! The size of a patch, and the modes and links that it makes.

use super::{Rules, links};
use guardhost_core::change::{FileMode, FileOp, FilePatch, Hunk, Note, Patch, Refused, RefusedKind, Tree};

pub(super) fn check_sizes(patch: &Patch, rules: &Rules) -> Result<(), Refused> {
    let too_large = |message: String| Refused { kind: RefusedKind::TooLarge, path: None, message };
    if patch.files.len() > rules.max_files {
        let message = format!("The patch touches {} files; {} are allowed.", patch.files.len(), rules.max_files);
        return Err(too_large(message));
    }
    for file in &patch.files {
        let (added, _) = bytes(&file.op);
        if added > rules.max_file_bytes {
            let why = format_args!("{added} bytes are more than the {} allowed for one file", rules.max_file_bytes);
            return Err(Refused::at(RefusedKind::TooLarge, &file.path, why));
        }
    }
    let total = patch_bytes(patch);
    if total > rules.max_patch_bytes {
        return Err(too_large(format!("The patch has {total} bytes; {} are allowed.", rules.max_patch_bytes)));
    }
    Ok(())
}

/// Counts the copied files too: a line that copies a file makes as much of it as the file has bytes, as often as it is written.
pub(super) fn check_copies(patch: &Patch, rules: &Rules, tree: &Tree) -> Result<(), Refused> {
    let mut total = patch_bytes(patch);
    for file in &patch.files {
        let FileOp::Copy { from, .. } = &file.op else { continue };
        let size = match links::entry(tree, from)?.filter(|entry| entry.mode != FileMode::Submodule) {
            Some(entry) => tree.objects.blob_size(entry.oid).map_err(|error| {
                Refused::at(RefusedKind::TooLarge, from, format_args!("its size could not be read: {error:#}"))
            })?,
            None => 0,
        };
        total = total.saturating_add(size);
        if total > rules.max_patch_bytes {
            let why =
                format_args!("with this copy the patch makes {total} bytes; {} are allowed", rules.max_patch_bytes);
            return Err(Refused::at(RefusedKind::TooLarge, &file.path, why));
        }
    }
    Ok(())
}

fn patch_bytes(patch: &Patch) -> u64 {
    patch.files.iter().map(|file| bytes(&file.op).1).sum()
}

/// The bytes that are added, and the bytes of all lines. A line counts one byte for its ending.
fn bytes(op: &FileOp) -> (u64, u64) {
    match op {
        FileOp::Create(content) | FileOp::Write(content) => (content.len() as u64, content.len() as u64),
        FileOp::Modify(hunks) | FileOp::Delete(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => {
            let size = |hunk: &Hunk, added: bool| -> u64 {
                hunk.lines
                    .iter()
                    .filter(|line| !added || !line.is_old())
                    .map(|line| line.bytes().len() as u64 + 1)
                    .sum()
            };
            let sum = |added| hunks.iter().map(|hunk| size(hunk, added)).sum();
            (sum(true), sum(false))
        }
    }
}

/// Checks the mode and a link's target against the file in the tree. The note says that a file becomes executable, or no
/// longer is.
pub(super) fn check_mode(file: &FilePatch, tree: &Tree) -> Result<Option<Note>, Refused> {
    let path = &file.path;
    let old = match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => links::entry(tree, from)?,
        FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => links::entry(tree, path)?,
    };
    let was = old.map(|entry| entry.mode);
    let target = links::entry(tree, path)?.map(|entry| entry.mode);
    if [was, target, file.mode].contains(&Some(FileMode::Submodule)) {
        return Err(Refused::at(
            RefusedKind::Submodule,
            path,
            "it is another repository (a gitlink); no patch may set one",
        ));
    }
    if matches!(file.op, FileOp::Delete(_)) {
        return Ok(None);
    }
    let (was_link, becomes_link) = (was == Some(FileMode::Symlink), file.mode == Some(FileMode::Symlink));
    if was.is_some() && file.mode.is_some() && was_link != becomes_link {
        return Err(Refused::at(
            RefusedKind::Mode,
            path,
            "a file cannot become a link, or a link a file; delete it first",
        ));
    }
    if was_link || becomes_link {
        // The whole content of a file is meant for the link's target.
        if matches!(file.op, FileOp::Write(_)) {
            return Err(Refused::at(
                RefusedKind::Symlink,
                path,
                "it is a symbolic link; change the file that it points to",
            ));
        }
        links::check_targets(file, old, tree)?;
    }
    let bit = match (was, file.mode) {
        (Some(FileMode::File), Some(FileMode::Executable)) => "becomes executable",
        (Some(FileMode::Executable), Some(FileMode::File)) => "is no longer executable",
        _ => return Ok(None),
    };
    Ok(Some(Note::new("mode", format_args!("{path} {bit}"))))
}
