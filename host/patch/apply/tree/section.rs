//! One section of a patch: what it makes of one file.

use std::sync::Arc;

use bstr::ByteSlice;

use super::builder::{Bytes, FileContent, TreeBuilder};
use super::merge::conflict_message;
use super::merge::merge;
use super::rewrite::NOT_UTF8;
use crate::apply::context::PatchContext;
use crate::apply::edit::{AppliedEdit, in_shape_of, place};
use guardhost_core::change::{
    Author, ChangeType, Existence, FileMode, FileOp, FilePatch, Hunk, Patch, PatchFormat, RepoPath, Strategy,
};
use guardhost_core::error::Result;

/// Every method puts the file's new content into `tree`, or a misfit.
pub struct Section<'s, 'b> {
    pub tree: &'s mut TreeBuilder<'b>,
    pub patch: &'s Patch,
    pub file: &'s FilePatch,
}

impl<'s> Section<'s, '_> {
    pub fn apply(mut self) -> Result<()> {
        let file = self.file;
        match &file.op {
            FileOp::Modify(hunks) => self.modify(hunks),
            FileOp::Create(bytes) => self.create(bytes),
            FileOp::Write(bytes) => self.write(bytes),
            FileOp::Delete(hunks) => self.delete(hunks),
            FileOp::Rename { from, hunks } => self.transfer(from, ChangeType::Rename, hunks),
            FileOp::Copy { from, hunks } => self.transfer(from, ChangeType::Copy, hunks),
        }
    }

    fn path(&self) -> &'s RepoPath {
        &self.file.path
    }

    fn modify(&mut self, hunks: &[Hunk]) -> Result<()> {
        let path = self.path();
        let Some(content) = self.tree.file(path)? else {
            return match self.implied_content(hunks)? {
                Some(content) => {
                    self.tree.note("created", path, "the file did not exist and was created");
                    self.create(&content)
                }
                None => self.no_such_file(path),
            };
        };
        if let Some(bytes) = self.rewrite(path, &content, hunks)? {
            self.set(bytes, content.mode);
        }
        Ok(())
    }

    fn create(&mut self, bytes: &[u8]) -> Result<()> {
        let path = self.path();
        if let Some(existing) = self.tree.file(path)? {
            return self.create_over(existing, bytes);
        }
        if let Some(obstacle) = self.tree.obstacle(path)? {
            self.misfit("exists", format!("no file can be made here: {obstacle}."));
            return Ok(());
        }
        self.tree.needs(Strategy::Exact);
        self.set_made(bytes, FileMode::File);
        Ok(())
    }

    fn create_over(&mut self, existing: FileContent, bytes: &[u8]) -> Result<()> {
        let old = self.tree.read(&existing)?;
        if existing.mode != FileMode::Submodule && in_shape_of(&old, bytes) == *old {
            self.tree.note("already-applied", self.path(), "the file exists with this content");
            self.set(existing.bytes, existing.mode);
        } else if existing.mode == FileMode::File && old.is_empty() {
            // Git's diff of an empty file has the header of a new one; there is nothing to lose.
            self.tree.needs(Strategy::Exact);
            self.set_made(bytes, existing.mode);
        } else {
            let message = match self.patch.format_of(self.file) {
                PatchFormat::SearchReplace => {
                    "its SEARCH is empty, which makes a new file, and the file exists. SEARCH for lines of the file next to the \
                     change."
                }
                PatchFormat::GitDiff
                | PatchFormat::UnifiedDiff
                | PatchFormat::V4a
                | PatchFormat::WholeFile
                | PatchFormat::JsonList
                | PatchFormat::StrReplace => {
                    "the file exists already, with other content. Change it with hunks that fit it."
                }
            };
            self.misfit("exists", message);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let path = self.path();
        let Some(existing) = self.tree.file(path)? else {
            let is_misfit = match self.file.existence {
                Existence::AsOperation => false,
                Existence::MustExist => {
                    self.no_such_file(path)?;
                    true
                }
                Existence::Unsaid => self.is_wrong_path()?,
            };
            if !is_misfit {
                self.create(bytes)?;
                self.tree.needs(Strategy::WholeFile);
            }
            return Ok(());
        };
        if existing.mode == FileMode::Submodule {
            self.misfit("submodule", "it is a submodule, which has no content of its own.");
            return Ok(());
        }
        let old = self.tree.read(&existing)?;
        let is_converted =
            std::str::from_utf8(&old).is_err() && std::str::from_utf8(bytes).is_ok() && !bytes.is_ascii();
        if is_converted && self.file.written_by != Author::Program {
            self.misfit("encoding", NOT_UTF8);
            return Ok(());
        }
        let mut written = in_shape_of(&old, bytes);
        if written != bytes {
            self.tree.note(
                "shape-kept",
                path,
                "the file's own byte order mark, line endings and final newline were kept",
            );
        }
        self.tree.needs(Strategy::WholeFile);
        if let Some(seen) = self.tree.base().seen_content(path, self.file.claimed_blob.as_deref())? {
            // The provider saw an older file, so it cannot mean to undo later changes.
            match merge(&seen, &old, &written)? {
                Ok(merged) => written = merged,
                Err(conflicts) => {
                    self.misfit("conflict", conflict_message(&conflicts));
                    return Ok(());
                }
            }
            self.tree.needs(Strategy::ThreeWay);
        }
        self.set_made(written, existing.mode);
        Ok(())
    }

    fn delete(&mut self, hunks: &[Hunk]) -> Result<()> {
        let path = self.path();
        let Some(content) = self.tree.file(path)? else {
            match self.tree.base().seen_oid(path)? {
                Some(_) => self.tree.note("already-applied", path, "it was deleted after it was shown"),
                None => self.no_such_file(path)?,
            }
            return Ok(());
        };
        if self.tree.base().seen_content(path, None)?.is_some() {
            self.misfit("conflict", "the file changed since it was shown, so it is not deleted unseen.");
            return Ok(());
        }
        if !hunks.is_empty() {
            let Some(bytes) = self.rewrite(path, &content, hunks)? else { return Ok(()) };
            let rest = self.tree.read(&FileContent { bytes, ..content })?;
            if !rest.trim().is_empty() {
                let message = "the file holds more than the lines that the patch removes. To delete it all the same, send \
                               no hunks.";
                self.misfit("leftover", message);
                return Ok(());
            }
        }
        self.tree.needs(Strategy::Exact);
        self.tree.remove(path);
        Ok(())
    }

    /// A rename or a copy.
    fn transfer(&mut self, from: &RepoPath, how: ChangeType, hunks: &[Hunk]) -> Result<()> {
        let path = self.path();
        if path == from {
            return self.modify(hunks);
        }
        // As in git, copies are of the file before the patch, and so are renames of a path that got another file.
        let is_before_patch = how == ChangeType::Copy || self.tree.is_target(from);
        let source = if is_before_patch { self.tree.original(from)? } else { self.tree.file(from)? };
        let Some(content) = source else {
            return match self.tree.file(path)? {
                Some(target) if how == ChangeType::Rename => self.already_renamed(from, &target, hunks),
                _ => self.no_such_file(from),
            };
        };
        if let Some(obstacle) = self.tree.obstacle(path)? {
            self.misfit("exists", format!("{from} cannot come here: {obstacle}."));
            return Ok(());
        }
        if let Some(bytes) = self.rewrite(from, &content, hunks)? {
            self.tree.needs(Strategy::Exact);
            if how == ChangeType::Rename {
                self.tree.rename_from(from);
            }
            let mode = self.file.mode.unwrap_or(content.mode);
            self.tree.set_from(path, FileContent { bytes, mode }, from, how);
        }
        Ok(())
    }

    /// The old name is gone and the new one exists: the rename was made already if the new file holds every hunk.
    fn already_renamed(&mut self, from: &RepoPath, target: &FileContent, hunks: &[Hunk]) -> Result<()> {
        match place(
            &self.tree.read(target)?,
            hunks,
            &PatchContext::new(self.patch, self.file, hunks, self.tree.watch()),
        ) {
            Ok(AppliedEdit { strategy: None, .. }) => {
                self.tree.note("already-applied", self.path(), &format!("{from} was renamed already"));
                Ok(())
            }
            _ => self.no_such_file(from),
        }
    }

    /// `mode` is the file's own; the patch may set another.
    fn set(&mut self, bytes: Bytes, mode: FileMode) {
        let mode = self.file.mode.unwrap_or(mode);
        self.tree.set(self.path(), FileContent { bytes, mode });
    }

    fn set_made(&mut self, bytes: impl Into<Arc<[u8]>>, mode: FileMode) {
        self.set(Bytes::Made(bytes.into()), mode);
    }

    pub(super) fn misfit(&mut self, code: &'static str, message: impl Into<String>) {
        self.tree.misfit(&self.file.path, code, message);
    }
}
