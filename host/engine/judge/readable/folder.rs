//! Links and submodules in the place of folders.

use guard_files::Kinds;
use guardhost_core::change::{Blob, FileChange, FileMode, RepoPath};

use super::{Loss, Place, link};
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::limits::GuardStop;

/// What a change puts in the place of folders.
pub struct FolderLinks<'c>(Vec<(&'c FileChange, Blob)>);

impl<'c> FolderLinks<'c> {
    pub fn new(change: &'c ChangeView) -> Self {
        let links = change.candidate.files.iter().filter_map(|file| {
            let after = file.after.filter(|after| matches!(after.mode, FileMode::Symlink | FileMode::Submodule))?;
            Some((file, after))
        });
        FolderLinks(links.collect())
    }

    /// What stands where a folder with this file was, and how that takes the file away from the guards. None where the file is in its place, or
    /// behind the link with the same bytes and as the same kind of file.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub fn loss(
        &self,
        change: &ChangeView,
        old: &RepoPath,
        before: Blob,
        kinds: &Kinds,
    ) -> Result<Option<(&'c FileChange, Loss)>, GuardStop> {
        for (file, after) in &self.0 {
            let Some(rest) = old.as_bytes().strip_prefix(file.path.as_bytes()).filter(|rest| rest.starts_with(b"/"))
            else {
                continue;
            };
            if after.mode == FileMode::Submodule {
                return Ok(Some((file, Loss::Submodule(Place::Folder))));
            }
            let Some(target) = link::target(change, &file.path, *after)? else {
                return Ok(Some((file, Loss::Link(Place::Folder))));
            };
            let behind = RepoPath::new([target.as_bytes(), rest].concat());
            let is_same = change.entry(TreeSide::After, &behind)?.is_some_and(|entry| entry.oid == before.oid)
                && kinds.kind(&behind.to_string()) == kinds.kind(&old.to_string());
            return Ok((!is_same).then_some((file, Loss::Link(Place::Folder))));
        }
        Ok(None)
    }
}
