//! Packages that builds need and git does not store: those that the user installed in the user's own work tree.
//!
//! `node_modules` is rebuilt as a folder of links to the user's packages, for reading only. A copy would take minutes. A mount of the
//! folder would lead links between the packages of a workspace into the user's work tree instead of the candidate's; such links are
//! copied as they are. Tools may write beside the links (`node_modules/.vite`); the next run removes those files.
//! A virtual environment is read where it lies. Build folders (`target`) are not shared: the base's is built once and kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::job_context::JobContext;
use super::projects::join;
use super::real_folder::real_folder;
use guard_files::relative::above;
use guardhost_core::error::{Context, Result};
use guardhost_os::symlink_at;

/// Makes `tree/…/node_modules` for a project folder and its parents, up to the root. Returns the folders that the links need to read.
pub fn link_node_modules(context: &JobContext, tree: &Path, project: &str) -> Result<Vec<PathBuf>> {
    let mut readable = Vec::new();
    for folder in above(project) {
        let Some(theirs) = context.installed(&join(folder, "node_modules")) else { continue };
        let Some(ours) = real_folder(tree, folder).map(|folder| folder.join("node_modules")) else { continue };
        // What git stores under that name is the change's own.
        if fs::symlink_metadata(&ours).is_err() {
            link(&theirs, &ours).with_context(|| format!("cannot link {}", theirs.display()))?;
            readable.push(theirs);
        }
    }
    Ok(readable)
}

fn link(theirs: &Path, ours: &Path) -> std::io::Result<()> {
    fs::create_dir(ours)?;
    for entry in fs::read_dir(theirs)? {
        let entry = entry?;
        let (source, target) = (entry.path(), ours.join(entry.file_name()));
        let is_scope = entry.file_name().to_string_lossy().starts_with('@');
        if entry.file_type()?.is_symlink() {
            // pnpm links into its store inside `node_modules`, which is not copied; workspaces link into the tree.
            let to = fs::read_link(&source)?;
            let inside = source.canonicalize().is_ok_and(|real| real.starts_with(theirs));
            symlink_at(if inside || to.is_absolute() { &source } else { &to }, &target)?;
        } else if is_scope && entry.file_type()?.is_dir() {
            link(&source, &target)?;
        } else {
            symlink_at(&source, &target)?;
        }
    }
    Ok(())
}

/// The user's virtual environment for a project: the nearest above it in the work tree, or the active one.
pub fn virtual_env(context: &JobContext, project: &str) -> Option<PathBuf> {
    let near = above(project).flat_map(|folder| [".venv", "venv"].map(|name| join(folder, name)));
    let near = near.filter_map(|folder| context.installed(&folder));
    near.chain(context.active_environment()).find(|folder| folder.join("bin/python").exists())
}

/// Changes when packages are installed or removed: installers write into the folder itself.
pub fn fingerprint(folders: &[PathBuf]) -> String {
    let nanos = |folder: &PathBuf| {
        let modified = fs::metadata(folder).and_then(|meta| meta.modified()).ok();
        modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos())
    };
    folders.iter().map(|folder| format!("{}@{} ", folder.display(), nanos(folder))).collect()
}
