//! Files of the git directory in which another program could leave something that git, or the host, obeys later. Configuration, hooks,
//! attributes and exclusions are in [`super::settings`].
//!
//! Not compared: objects, of which git and others add some and remove others at any time; logs; the records of runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::WatchedFolders;
use super::index::{self, INDEX};
use super::look::{Look, LookStamp, or_none};

/// What all work trees share.
const SHARED: [&str; 8] = [
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
    "objects/info/commit-graph",
    "objects/info/commit-graphs",
    "shallow",
    "reftable",
    // Results of builds and tests that the host does not repeat.
    "guardhost/baselines",
];

/// The beginning of the names of the commit-graph: a file, or a folder of files.
pub(super) const COMMIT_GRAPH: &str = ".git/objects/info/commit-graph";

/// What each work tree has: the rest of its description, an operation that git continues, and a change that the host undoes.
const OF_WORK_TREE: [&str; 25] = [
    "commondir",
    "gitdir",
    "locked",
    "config.worktree",
    "info/sparse-checkout",
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "MERGE_AUTOSTASH",
    "SQUASH_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "BISECT_EXPECTED_REV",
    "BISECT_LOG",
    "BISECT_NAMES",
    "BISECT_RUN",
    "BISECT_START",
    "BISECT_TERMS",
    "rebase-apply",
    "rebase-merge",
    "sequencer",
    "refs/rewritten",
    "guardhost/place",
    "guardhost/place.lock",
];

/// Folders in the git directory of a submodule that do not steer git.
const DATA: [&str; 3] = ["objects", "logs", "refs"];

pub(super) fn look_at(folders: &WatchedFolders, look: &mut Look<'_>) -> io::Result<()> {
    let (git, common) = (&folders.git, &folders.common);
    for name in SHARED {
        look.tree(&common.join(name), &Path::new(".git").join(name), &|_| true)?;
    }
    visit_work_tree(git, Path::new(".git"), look)?;
    for (other, name) in other_work_trees(folders)? {
        visit_work_tree(&other, &name, look)?;
        look.text(&other.join("HEAD"), &name.join("HEAD"))?;
        index::look_at(&other, &name.join(INDEX), look)?;
    }
    visit_submodules(&common.join("modules"), Path::new(".git/modules"), look)
}

fn visit_work_tree(git: &Path, name: &Path, look: &mut Look<'_>) -> io::Result<()> {
    OF_WORK_TREE.iter().try_for_each(|part| look.tree(&git.join(part), &name.join(part), &|_| true))
}

/// Their git directories, and the names of these.
fn other_work_trees(folders: &WatchedFolders) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let WatchedFolders { git, common, .. } = folders;
    // The main one, of which the linked ones are part.
    let main = (common.clone(), common.clone());
    let mut found = vec![main];
    for entry in or_none(fs::read_dir(common.join("worktrees")))?.into_iter().flatten() {
        let entry = entry?;
        found.push((entry.path(), Path::new(".git/worktrees").join(entry.file_name())));
    }
    found.retain(|(other, _)| !same(other, git));
    Ok(found)
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// The git directories of submodules, at and below a path.
pub(super) fn visit_submodules(path: &Path, name: &Path, look: &mut Look<'_>) -> io::Result<()> {
    look.tree(path, name, &|entry| entry == name || !DATA.iter().any(|data| entry.ends_with(data)))?;
    let of_these = |(entry, stamp): (&PathBuf, &LookStamp)| {
        let is_index = entry.ends_with(INDEX) && matches!(stamp, LookStamp::File { .. });
        Some(entry.strip_prefix(name).ok().filter(|_| is_index)?.parent()?.to_owned())
    };
    let indexes: Vec<PathBuf> = look.found.iter().filter_map(of_these).collect();
    for module in indexes {
        index::look_at(&path.join(&module), &name.join(&module).join(INDEX), look)?;
    }
    Ok(())
}
