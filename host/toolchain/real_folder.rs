//! Folders that are what their path says.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// A folder below a work tree, the user's or a job's, if no part of its path is a link. The sandbox may read the one, and the host
/// writes into the other outside of every sandbox: a link that was committed would open whatever it leads to.
pub fn real_folder(root: &Path, below: impl AsRef<Path>) -> Option<PathBuf> {
    let mut folder = root.to_path_buf();
    for part in below.as_ref().components() {
        folder.push(part);
        // Follows no link.
        if !matches!(part, Component::Normal(_)) || !fs::symlink_metadata(&folder).ok()?.is_dir() {
            return None;
        }
    }
    Some(folder)
}
