//! What a diff wants of the one file that it is for.

use std::path::Path;

use super::answer::Answer;
use super::file::Standing;
use super::halt::Step;
use super::locate::locate;
use guardhost_core::change::{FileMode, FileOp, FilePatch, Mended, Patch, Reply, RepoPath};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;

/// The name that a diff without one gets for a while.
const NAMELESS: &str = "guardhost-nameless";

/// Names that models put where they know none.
const PLACEHOLDERS: [(&str, &str); 5] =
    [("original", "modified"), ("old", "new"), ("before", "after"), ("a", "b"), ("file", "file")];

/// The patch, with every section of it naming `path`.
pub(super) fn meant(diff: &str, path: &RepoPath, standing: &Standing, workdir: &Path) -> Step<Patch> {
    let mended = repair(&Reply { bytes: diff.as_bytes().to_vec(), ..Reply::default() });
    let mended = Mended { bytes: headed(&mended.bytes).unwrap_or(mended.bytes), notes: mended.notes };
    let mut patch = extract(mended, std::slice::from_ref(path))?;
    for file in &mut patch.files {
        if !is(&file.path, path, workdir) {
            let why = format!("The diff is of {}, not of {path}. Send one diff for each file.", file.path);
            return Err(Answer::invalid(why).into());
        }
        file.path = path.clone();
        // The hash says what the diff was made from; an `index` line can only say something else.
        file.claims = None;
        narrow(file, standing)?;
    }
    Ok(patch)
}

/// To what this tool does: lines of one file.
fn narrow(file: &mut FilePatch, standing: &Standing) -> Step<()> {
    let invalid = |why: &str| Err(Answer::invalid(why).into());
    match &mut file.op {
        FileOp::Modify(_) => {}
        FileOp::Create(bytes) => {
            // To a model a file without content and no file are the same.
            if standing.exists() && standing.bytes().is_empty() {
                file.op = FileOp::Write(std::mem::take(bytes));
            }
        }
        FileOp::Delete(_) => return invalid("safe_patch does not delete files."),
        FileOp::Rename { .. } | FileOp::Copy { .. } => return invalid("safe_patch neither renames nor copies files."),
        FileOp::Write(_) => {
            return invalid("This is the content of a whole file, not a diff. Use write_file for that.");
        }
    }
    if let Standing::File { permissions, .. } = standing {
        let mode = if permissions & 0o100 == 0 { FileMode::File } else { FileMode::Executable };
        if file.mode.is_some_and(|wanted| wanted != mode) {
            return invalid("safe_patch does not change a file's mode.");
        }
    } else if file.mode == Some(FileMode::Symlink) {
        return invalid("safe_patch makes no symbolic links.");
    }
    Ok(())
}

/// Whether a section of `named` can only be meant for `path`: the same in another spelling, or one of the two names the end of
/// the other and no file of that name is there.
fn is(named: &RepoPath, path: &RepoPath, workdir: &Path) -> bool {
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

/// With a header of its own, for hunks that have none, or one that names nothing.
fn headed(diff: &[u8]) -> Option<Vec<u8>> {
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
        // A date may stand behind a tab.
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
