//! How large a patch is, and what kinds of file it makes.

use super::{Rules, links, refuse};
use guardhost_core::change::{FileMode, FileOp, FilePatch, Hunk, Note, Patch, Refused, RefusedKind};

pub(super) fn sizes(patch: &Patch, rules: &Rules) -> Result<(), Refused> {
    let too_large = |message: String| Refused { kind: RefusedKind::TooLarge, path: None, message };
    if patch.files.len() > rules.max_files {
        let message = format!("The patch touches {} files; {} are allowed.", patch.files.len(), rules.max_files);
        return Err(too_large(message));
    }
    let mut total = 0;
    for file in &patch.files {
        let (added, all) = bytes(&file.op);
        if added > rules.max_file_bytes {
            let why = format_args!("{added} bytes are more than the {} allowed for one file", rules.max_file_bytes);
            return Err(refuse(RefusedKind::TooLarge, &file.path, why));
        }
        total += all;
    }
    if total > rules.max_patch_bytes {
        return Err(too_large(format!("The patch has {total} bytes; {} are allowed.", rules.max_patch_bytes)));
    }
    Ok(())
}

/// Bytes that come in, and bytes of all lines. A line counts its ending.
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

/// Modes and links, against what stands there now. Gives what is worth a note.
pub(super) fn kind(file: &FilePatch, tree: &guardhost_core::change::Tree) -> Result<Option<Note>, Refused> {
    let path = &file.path;
    let old = match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => links::entry(tree, from)?,
        _ => links::entry(tree, path)?,
    };
    let was = old.map(|entry| entry.mode);
    let stands = links::entry(tree, path)?.map(|entry| entry.mode);
    if [was, stands, file.mode].contains(&Some(FileMode::Submodule)) {
        return Err(refuse(RefusedKind::Submodule, path, "it is another repository (a gitlink); no patch may set one"));
    }
    if matches!(file.op, FileOp::Delete(_)) {
        return Ok(None);
    }
    let link = file.mode == Some(FileMode::Symlink) || was == Some(FileMode::Symlink);
    let turns = was.is_some()
        && file.mode.is_some()
        && (was == Some(FileMode::Symlink)) != (file.mode == Some(FileMode::Symlink));
    if turns {
        return Err(refuse(RefusedKind::Mode, path, "a file cannot become a link, or a link a file; delete it first"));
    }
    if link {
        // Whoever writes a whole file there means the file behind the link.
        if matches!(file.op, FileOp::Write(_)) {
            return Err(refuse(RefusedKind::Symlink, path, "it is a symbolic link; change the file that it points to"));
        }
        links::stays_inside(file, old, tree)?;
    }
    let bit = match (was, file.mode) {
        (Some(FileMode::File), Some(FileMode::Executable)) => "becomes executable",
        (Some(FileMode::Executable), Some(FileMode::File)) => "is no longer executable",
        _ => return Ok(None),
    };
    Ok(Some(Note::new("mode", format_args!("{path} {bit}"))))
}
