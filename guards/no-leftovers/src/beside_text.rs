//! Entries of a tree that hold no text: a repository inside of the repository, and links that lead out of it.

use guard_sdk::files::relative::{folder, join};
use guard_sdk::{Change, File, Finding, Mode, Side};

pub fn judge(file: &File, change: &Change) -> Option<Finding> {
    let (before, after) = (file.before().blob(), file.after().blob()?);
    if before.is_some_and(|before| (before.mode, &before.oid) == (after.mode, &after.oid)) {
        return None;
    }
    match after.mode {
        Mode::Submodule => unnamed(file, change),
        Mode::Symlink => leaving(file),
        Mode::File | Mode::Executable => None,
    }
}

/// `git add` of a folder that is itself a clone keeps only the name of its commit; whoever clones gets an empty folder, unless `.gitmodules`
/// says where the rest is (gitmodules(5)).
fn unnamed(file: &File, change: &Change) -> Option<Finding> {
    let path = file.path();
    let was_there = file.before().blob().is_some_and(|before| before.mode == Mode::Submodule);
    let modules = change.repo(Side::After).text(".gitmodules").unwrap_or_default();
    let mut paths = modules.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
    if was_there || paths.any(|named| named.trim() == path) {
        return None;
    }
    let message = format!("{path} is the commit of another repository, and .gitmodules does not say where that is");
    let help = format!("Add it by `git submodule add`, or remove the folder `.git` in {path} and add its files.");
    Some(Finding::error("leads-outside", message).file(path).help(help))
}

fn leaving(file: &File) -> Option<Finding> {
    let target = String::from_utf8(file.after().bytes().ok()?).ok()?;
    let target = target.trim_end_matches('\n');
    // `join` gives nothing for what goes above the root.
    let leaves = target.starts_with('/') || target.contains(":\\") || join(folder(file.path()), target).is_none();
    let message = format!("{} leads to {target}, outside of the repository", file.path());
    let help = "Link to a file of the repository by a relative path, or leave the link out.";
    leaves.then(|| Finding::error("leads-outside", message).file(file.path()).help(help))
}
