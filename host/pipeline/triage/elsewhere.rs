//! Whether a tree has a word in another file.

use guardhost_core::change::{Candidate, FileMode, Oid, RepoPath};

use super::private::has_word;
use super::unproved::Unproved;

/// Bytes of the longest file that is read, and of all: what is longer may have any word.
const LONGEST: u64 = 8 << 20;
const ALL: u64 = 512 << 20;

/// In any file of the candidate but this one; true too where not all could be read.
///
/// # Errors
/// [`Unproved::Stopped`]: the repository's objects cannot be read.
pub fn elsewhere(change: &Candidate, own: &RepoPath, word: &str) -> Result<bool, Unproved> {
    let stopped = |error: guardhost_core::error::Error| Unproved::Stopped(format!("{error:#}"));
    let (mut files, mut is_whole): (Vec<Oid>, bool) = (Vec::new(), true);
    let mut visit = |path: &RepoPath, entry: guardhost_core::change::TreeEntry| {
        match entry.mode {
            FileMode::File | FileMode::Executable if path != own => files.push(entry.oid),
            FileMode::Submodule => is_whole = false,
            _ => {}
        }
        true
    };
    change.objects.walk(change.tree, &mut visit).map_err(stopped)?;
    let mut bytes = 0;
    for oid in files {
        let size = change.objects.blob_size(oid).map_err(stopped)?;
        bytes += size;
        if size > LONGEST || bytes > ALL {
            return Ok(true);
        }
        if has_word(&String::from_utf8_lossy(&change.objects.blob(oid).map_err(stopped)?), word) {
            return Ok(true);
        }
    }
    Ok(!is_whole)
}
