//! The index and the files of the work tree.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::WatchedFolders;
use super::git_dir::visit_submodules;
use super::index::{self, INDEX, submodules, tracked_folders};
use super::look::{Look, LookStamp};

const GIT: &str = ".git";

pub(super) fn look_at(folders: &WatchedFolders, look: &mut Look<'_>) -> io::Result<()> {
    let index = index::look_at(&folders.git, &Path::new(GIT).join(INDEX), look)?;
    let Some(work_tree) = &folders.work_tree else { return Ok(()) };
    // Without an index that can be read, the whole work tree is looked at.
    let tracked = index.as_ref().map(tracked_folders);
    let enters = |path: &Path| {
        let is_tracked = tracked.as_ref().is_none_or(|tracked| tracked.contains(path));
        is_tracked && !path.ends_with(GIT)
    };
    look.tree(work_tree, Path::new(""), &enters)?;
    // The root itself, whose name is empty.
    look.found.remove(Path::new(""));
    for own in own_files(work_tree) {
        look.found.remove(&own);
    }
    let submodules = index.as_ref().map(submodules).unwrap_or_default();
    for name in submodules.iter().map(|submodule| submodule.join(GIT)) {
        look.tree(&work_tree.join(&name), &name, &|_| false)?;
    }
    let is_repository = |(name, stamp): &(&PathBuf, &LookStamp)| {
        let is_nested = name.ends_with(GIT) && name.as_path() != Path::new(GIT);
        is_nested && matches!(stamp, LookStamp::Folder { .. })
    };
    let nested: Vec<PathBuf> = look.found.iter().filter(is_repository).map(|(name, _)| name.clone()).collect();
    nested.iter().try_for_each(|name| visit_submodules(&work_tree.join(name), name, look))
}

/// The files of the work tree that this process has open, such as its own output.
fn own_files(work_tree: &Path) -> HashSet<PathBuf> {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let paths = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    let root = fs::canonicalize(work_tree).unwrap_or_else(|_| work_tree.to_owned());
    paths.filter_map(|path| path.strip_prefix(&root).ok().map(Path::to_owned)).collect()
}
