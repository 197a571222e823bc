//! What an index says. `git status` writes it anew, with other times; that stages nothing.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use gix_index::entry::{Flags, Mode};
use guardhost_os::os_str;

use super::look::{Look, LookStamp, or_none};
use crate::index::read_index;

/// The prefix of files that hold a part of a split index.
const SHARED: &[u8] = b"sharedindex.";

/// The name of the file in a git directory.
pub(super) const INDEX: &str = "index";

/// Of an index that cannot be read: its stamp.
pub(super) fn look_at(git: &Path, name: &Path, look: &mut Look<'_>) -> io::Result<Option<gix_index::File>> {
    let path = git.join(INDEX);
    let index = if is_regular(git)? { read_index(&path).ok() } else { None };
    match &index {
        Some(index) => {
            look.found.insert(name.to_owned(), LookStamp::Staged(hash(index, look.hasher)));
        }
        None => look.tree(&path, name, &|_| false)?,
    }
    Ok(index)
}

/// Whether reading the index does not wait for another program. False where there is none.
fn is_regular(git: &Path) -> io::Result<bool> {
    if !or_none(fs::metadata(git.join(INDEX)))?.is_some_and(|data| data.is_file()) {
        return Ok(false);
    }
    for entry in fs::read_dir(git)? {
        let entry = entry?;
        let is_part = entry.file_name().as_encoded_bytes().starts_with(SHARED);
        if is_part && !or_none(fs::metadata(entry.path()))?.is_some_and(|data| data.is_file()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Paths, modes, objects, and the flags that a person sets: with some of them git does not look at the file.
fn hash(index: &gix_index::File, hasher: &RandomState) -> u64 {
    let flags = Flags::ASSUME_VALID | Flags::SKIP_WORKTREE | Flags::INTENT_TO_ADD;
    let mut hasher = hasher.build_hasher();
    for entry in index.entries() {
        entry.path(index).hash(&mut hasher);
        (entry.mode.bits(), entry.id.as_bytes(), entry.stage_raw()).hash(&mut hasher);
        (entry.flags & flags).bits().hash(&mut hasher);
    }
    hasher.finish()
}

/// The folders that tracked files are in, and those above them.
pub(super) fn tracked_folders(index: &gix_index::File) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::from([PathBuf::new()]);
    let mut last: &[u8] = b"";
    for entry in index.entries() {
        let path: &[u8] = entry.path(index);
        let folder = folder_of(path);
        if folder != last {
            last = folder;
            let mut folder = Path::new(os_str(folder));
            while found.insert(folder.to_owned()) {
                let Some(parent) = folder.parent() else { break };
                folder = parent;
            }
        }
    }
    found
}

/// The folders of submodules, which are no folders of tracked files.
pub(super) fn submodules(index: &gix_index::File) -> Vec<PathBuf> {
    let entries = index.entries().iter().filter(|entry| entry.mode == Mode::COMMIT);
    entries.map(|entry| PathBuf::from(os_str(entry.path(index)))).collect()
}

fn folder_of(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(b"", |end| &path[..end])
}
