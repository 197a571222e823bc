//! Names of new files that are taken for another: for one in the tree, where file systems ignore letter case, or for an option.

use std::collections::{HashMap, HashSet};

use super::names::folded;
use guardhost_core::change::{FileOp, FilePatch, Note, Refused, RefusedKind, RepoPath, Tree};

/// Checks that no new name in any folder is another spelling of one that stays there.
pub(super) fn check(files: &[FilePatch], tree: &Tree) -> Result<(), Refused> {
    let gone: HashSet<&RepoPath> = files.iter().filter_map(leaves).collect();
    let mut folders: HashMap<RepoPath, HashMap<String, Vec<Vec<u8>>>> = HashMap::new();
    for file in files {
        match &file.op {
            FileOp::Create(_) | FileOp::Write(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => {}
            FileOp::Modify(_) | FileOp::Delete(_) => continue,
        }
        let unreadable = |error| {
            let why = format_args!("the tree could not be read: {error:#}");
            Refused::at(RefusedKind::Conflicting, &file.path, why)
        };
        let mut folder = Vec::new();
        for part in file.path.parts() {
            let here = RepoPath::new(folder.as_slice());
            if !folders.contains_key(&here) {
                let mut names: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
                for name in tree.objects.names(tree.oid, &here).map_err(unreadable)? {
                    names.entry(folded(&name)).or_default().push(name);
                }
                folders.insert(here.clone(), names);
            }
            let alike = folders[&here].get(&folded(part)).map(Vec::as_slice).unwrap_or_default();
            if !folder.is_empty() {
                folder.push(b'/');
            }
            if alike.iter().any(|name| name == part) {
                folder.extend_from_slice(part);
                continue;
            }
            for name in alike {
                let other = RepoPath::new([folder.as_slice(), name].concat());
                if stays(tree, &other, &gone).map_err(unreadable)? {
                    let why = format_args!("the repository has `{other}`, which differs from it only in letter case");
                    return Err(Refused::at(RefusedKind::Conflicting, &file.path, why));
                }
            }
            // Below a new folder there is nothing yet.
            break;
        }
    }
    Ok(())
}

/// A note for each new file in the root whose name commands take for an option.
pub(super) fn option_like(files: &[FilePatch]) -> Vec<Note> {
    let new = files.iter().filter(|file| match file.op {
        FileOp::Create(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => true,
        FileOp::Write(_) | FileOp::Modify(_) | FileOp::Delete(_) => false,
    });
    let named = new.map(|file| &file.path).filter(|path| path.as_bytes().starts_with(b"-"));
    let text = |path| format!("commands take the name `{path}` for an option, unless it is written as `./{path}`");
    named.map(|path| Note::new("option-like-name", text(path))).collect()
}

fn leaves(file: &FilePatch) -> Option<&RepoPath> {
    match &file.op {
        FileOp::Rename { from, .. } => Some(from),
        FileOp::Delete(_) => Some(&file.path),
        FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Copy { .. } => None,
    }
}

/// Whether a file, or any file of a folder, is still there after the patch.
fn stays(tree: &Tree, path: &RepoPath, gone: &HashSet<&RepoPath>) -> guardhost_core::error::Result<bool> {
    if gone.contains(path) {
        return Ok(false);
    }
    if tree.objects.entry(tree.oid, path)?.is_some() {
        return Ok(true);
    }
    let folder = [path.as_bytes(), b"/"].concat();
    let mut stays = false;
    tree.objects.walk(tree.oid, &mut |file, _| {
        stays = file.as_bytes().starts_with(&folder) && !gone.contains(file);
        !stays
    })?;
    Ok(stays)
}
