//! Files of the work tree that the user names on the command line.

use std::path::Path;

use guardhost_core::change::RepoPath;
use guardhost_git::Repo;

use super::guard_files::in_repository;

/// Every path of the repository that decides what is read at `path`: as it is written, the file itself in its real folder, and what it leads
/// to as a link. Empty for a file outside of the work tree. `path` is absolute.
pub fn work_tree_paths(repo: &Repo, path: &Path) -> Vec<RepoPath> {
    let Some(root) = repo.workdir() else { return Vec::new() };
    let real_root = root.canonicalize().ok();
    let in_real_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let spellings = [Some(path.to_owned()), in_real_folder(), path.canonicalize().ok()];
    let mut paths: Vec<RepoPath> = Vec::new();
    for spelling in spellings.iter().flatten() {
        let below = [Some(root), real_root.as_deref()].into_iter().flatten();
        let Some(rest) = below.filter_map(|root| spelling.strip_prefix(root).ok()).next() else { continue };
        let parts: Option<Vec<&str>> = rest.components().map(|part| part.as_os_str().to_str()).collect();
        if let Some(parts) = parts {
            let found = in_repository(&parts.join("/"));
            if !paths.contains(&found) {
                paths.push(found);
            }
        }
    }
    paths
}
