//! From the diff that a model sends for one file to a patch of that file.

use std::path::Path;

use super::answer::WriteAnswer;
use super::error::SessionResult;
use super::file::SessionDiskState;
use super::locate::locate;
use guardhost_core::change::{FileMode, FileOp, FilePatch, Patch, RepairedReply, Reply, RepoPath};
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_patch::extract::{Surroundings, extract};
use guardhost_patch::repair::repair;

/// Stands for the file in a header that the host adds to a diff without one.
const NAMELESS: &str = "guardhost-nameless";

/// File names that models write when they do not know the real one.
const PLACEHOLDERS: [(&str, &str); 5] =
    [("original", "modified"), ("old", "new"), ("before", "after"), ("a", "b"), ("file", "file")];

/// Every section of the patch names `path`. A diff of another file, or one that does more than change lines, is denied.
pub(super) fn parse_single_file_patch(
    diff: &str,
    path: &RepoPath,
    before: &SessionDiskState,
    workdir: &Path,
) -> SessionResult<Patch> {
    // A session has no interruption beside the end of its process.
    let stop = StopToken::default();
    let ended = |stopped: Stopped| stopped.into_error("reading the diff");
    let repaired = repair(&Reply { bytes: diff.as_bytes().to_vec(), ..Reply::default() }, &stop).map_err(ended)?;
    let repaired =
        RepairedReply { bytes: with_header(&repaired.bytes).unwrap_or(repaired.bytes), notes: repaired.notes };
    let mut patch = extract(repaired, std::slice::from_ref(path), &Surroundings::unknown(), &stop).map_err(ended)??;
    for file in &mut patch.files {
        if !names_file(&file.path, path, workdir) {
            let why = format!("The diff is of {}, not of {path}. Send one diff for each file.", file.path);
            return Err(WriteAnswer::invalid(why).into());
        }
        file.path = path.clone();
        // The hash already names the content that the diff was made from; an `index` line could only contradict it.
        file.claimed_blob = None;
        allow_edits_only(file, before)?;
    }
    Ok(patch)
}

/// Denies everything but edits of lines, and turns the creation of a file that exists and is empty into a write.
fn allow_edits_only(file: &mut FilePatch, before: &SessionDiskState) -> SessionResult<()> {
    let invalid = |why: &str| Err(WriteAnswer::invalid(why).into());
    match &mut file.op {
        FileOp::Modify(_) => {}
        FileOp::Create(bytes) => {
            // A model cannot tell an empty file from a missing one.
            if before.exists() && before.bytes().is_empty() {
                file.op = FileOp::Write(std::mem::take(bytes));
            }
        }
        FileOp::Delete(_) => return invalid("safe_patch does not delete files."),
        FileOp::Rename { .. } | FileOp::Copy { .. } => return invalid("safe_patch neither renames nor copies files."),
        FileOp::Write(_) => {
            return invalid("This is the content of a whole file, not a diff. Use write_file for that.");
        }
    }
    if let SessionDiskState::File { permissions, .. } = before {
        let mode = if permissions & 0o100 == 0 { FileMode::File } else { FileMode::Executable };
        if file.mode.is_some_and(|wanted| wanted != mode) {
            return invalid("safe_patch does not change a file's mode.");
        }
    } else if file.mode == Some(FileMode::Symlink) {
        return invalid("safe_patch makes no symbolic links.");
    }
    Ok(())
}

/// Whether a section for `named` can only be for `path`: it is another spelling of it, or one of the two is the end of the other
/// and no file called `named` exists.
fn names_file(named: &RepoPath, path: &RepoPath, workdir: &Path) -> bool {
    if named == path || named.as_bytes() == NAMELESS.as_bytes() {
        return true;
    }
    let Some(named) = named.as_str().and_then(|named| locate(workdir, named).ok()) else { return false };
    let ends = |long: &RepoPath, short: &RepoPath| {
        long.as_bytes().strip_suffix(short.as_bytes()).is_some_and(|front| front.ends_with(b"/"))
    };
    named == *path
        || ((ends(path, &named) || ends(&named, path)) && workdir.join(named.to_os()).symlink_metadata().is_err())
}

/// Adds a header to hunks that have none, or replaces one with placeholder names. None when the header can stay.
fn with_header(diff: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = diff.split_inclusive(|byte| *byte == b'\n').collect();
    let hunk = lines.iter().position(|line| line.starts_with(b"@@"))?;
    let header = |line: &&[u8]| [&b"diff "[..], b"--- ", b"+++ ", b"*** "].iter().any(|key| line.starts_with(key));
    let from = lines[..hunk].iter().position(header).unwrap_or(hunk);
    if from < hunk && !is_placeholder(&lines[from..hunk]) {
        return None;
    }
    let header = format!("--- a/{NAMELESS}\n+++ b/{NAMELESS}\n");
    Some([&lines[..from].concat(), header.as_bytes(), &lines[hunk..].concat()].concat())
}

fn is_placeholder(header: &[&[u8]]) -> bool {
    let name = |line: &[u8], key: &str| -> Option<String> {
        let rest = std::str::from_utf8(line).ok()?.strip_prefix(key)?;
        // A date may follow after a tab.
        Some(rest.split('\t').next()?.trim().to_ascii_lowercase())
    };
    match header {
        [old, new] => match (name(old, "--- "), name(new, "+++ ")) {
            (Some(old), Some(new)) => PLACEHOLDERS.contains(&(old.as_str(), new.as_str())),
            _ => false,
        },
        _ => false,
    }
}
