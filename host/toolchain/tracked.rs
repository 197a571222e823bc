//! Whether git keeps something of the user's work tree: then it is part of a commit, of whichever is checked out, and none of the user's
//! own packages and programs. In CI that commit is the one that is judged.

use std::path::{Component, Path};

use guardhost_core::change::{Objects, Oid, RepoPath};

/// Whether the index of a work tree has a file at, in or above this path of it. What cannot be read is kept.
pub fn in_index(workdir: &Path, below: &Path) -> bool {
    let Ok(index) = git2::Repository::open(workdir).and_then(|repository| repository.index()) else { return true };
    let is_file = |path: &Path| !path.as_os_str().is_empty() && index.get_path(path, 0).is_some();
    // A prefix of whole parts ends with a `/`.
    below.ancestors().any(is_file) || index.find_prefix(below.join("")).is_ok()
}

/// The same of a tree.
pub fn in_tree(objects: &dyn Objects, tree: Oid, below: &str) -> bool {
    let has = |path: &RepoPath| Ok::<bool, guardhost_core::error::Error>(objects.entry(tree, path)?.is_some());
    let parts = below.match_indices('/').map(|(at, _)| &below[..at]);
    let above = parts.map(RepoPath::from).any(|path| has(&path).unwrap_or(true));
    let path = RepoPath::from(below);
    above || has(&path).unwrap_or(true) || objects.is_dir(tree, &path).unwrap_or(true)
}

/// Whether a folder of programs lies in a work tree whose index has a file of what is installed there.
pub fn programs_in_index(workdir: &Path, folder: &Path) -> bool {
    let parent = folder.parent().unwrap_or(folder);
    let is_package_folder = parent.file_name().is_some_and(|name| name == "node_modules");
    let installed = if is_package_folder || parent.join("pyvenv.cfg").is_file() { parent } else { folder };
    below(workdir, installed).is_some_and(|below| in_index(workdir, &below))
}

/// The path of a folder in a work tree, if it lies there, by whatever way it is named.
pub fn below(workdir: &Path, folder: &Path) -> Option<std::path::PathBuf> {
    let named = folder.strip_prefix(workdir).ok().map(Path::to_path_buf);
    let is_plain = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    named.filter(|path| is_plain(path)).or_else(|| {
        let (workdir, folder) = (workdir.canonicalize().ok()?, folder.canonicalize().ok()?);
        folder.strip_prefix(workdir).ok().map(Path::to_path_buf)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_the_index_has_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path()).unwrap();
        for path in ["web/.venv/bin/ruff", "bin/tool", "own/.venv/bin/ruff", "own/.venv/pyvenv.cfg", "bin2/tool"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(folder.path().join("web/.venv/pyvenv.cfg"), "").unwrap();
        let mut index = repository.index().unwrap();
        for path in ["web/.venv/pyvenv.cfg", "bin/tool"] {
            index.add_path(Path::new(path)).unwrap();
        }
        index.write().unwrap();
        for (path, kept) in [("web/.venv", true), ("bin", true), ("bin2", false), ("own/.venv", false), ("b", false)] {
            assert_eq!(in_index(folder.path(), Path::new(path)), kept, "{path}");
        }
        assert!(in_index(folder.path(), Path::new("bin/tool/inner")), "below a file of git's");
        for (programs, kept) in [("web/.venv/bin", true), ("own/.venv/bin", false), ("bin", true), ("bin2", false)] {
            assert_eq!(programs_in_index(folder.path(), &folder.path().join(programs)), kept, "{programs}");
        }
        assert!(!programs_in_index(folder.path(), Path::new("/usr/bin")));
    }
}
