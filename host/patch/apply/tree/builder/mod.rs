//! The tree that a patch makes, file by file, until it is built into a candidate.

mod build;

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::apply::base::ApplyBase;
use crate::apply::edit::AppliedEdit;
use crate::apply::misfit::HunkMisfit;
use guardhost_core::change::{
    ChangeType, FileMode, FileOp, FilePatch, MisfitAt, Note, Oid, Patch, RepoPath, Strategy, TreeEntry,
};
use guardhost_core::error::{Error, Result};
use guardhost_core::stop::Watch;

/// A patch of hundreds of files that do not exist gets suggestions for the first ones only.
const WALKS: usize = 16;

pub struct TreeBuilder<'b> {
    base: &'b ApplyBase,
    watch: &'b Watch,
    entries: BTreeMap<RepoPath, PathEntry>,
    misfits: Vec<MisfitAt>,
    notes: Vec<Note>,
    /// The weakest that was needed so far.
    strategy: Option<Strategy>,
    /// No placed hunk has a misquoted line.
    is_verbatim: bool,
    /// How often all names of the tree may still be looked through.
    walks: Cell<usize>,
    /// Paths whose files the patch deletes or renames.
    vacated: HashSet<RepoPath>,
}

/// What the patch made of one path.
#[derive(Clone, Default)]
struct PathEntry {
    /// None when the file is gone.
    content: Option<FileContent>,
    /// Where the content came from by rename or copy.
    origin: Option<(RepoPath, ChangeType)>,
}

#[derive(Clone)]
pub struct FileContent {
    pub bytes: Bytes,
    pub mode: FileMode,
}

/// The bytes of a file; those of the base are read only where they are needed.
#[derive(Clone)]
pub enum Bytes {
    Stored(Oid),
    Made(Arc<[u8]>),
}

impl<'b> TreeBuilder<'b> {
    pub fn new(base: &'b ApplyBase, patch: &Patch, watch: &'b Watch) -> Self {
        let vacated = |file: &FilePatch| match &file.op {
            FileOp::Delete(_) => Some(file.path.clone()),
            FileOp::Rename { from, .. } => Some(from.clone()),
            FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Copy { .. } => None,
        };
        TreeBuilder {
            base,
            watch,
            entries: BTreeMap::new(),
            misfits: Vec::new(),
            notes: Vec::new(),
            strategy: None,
            is_verbatim: true,
            walks: Cell::new(WALKS),
            vacated: patch.files.iter().filter_map(vacated).collect(),
        }
    }

    pub fn base(&self) -> &'b ApplyBase {
        self.base
    }

    pub fn watch(&self) -> &'b Watch {
        self.watch
    }

    /// Whether a message may look through all names of the tree; counts how often that is done.
    pub fn may_walk(&self) -> bool {
        self.walks.replace(self.walks.get().saturating_sub(1)) > 0
    }

    /// The file at `path`, as the sections so far leave it.
    pub fn file(&self, path: &RepoPath) -> Result<Option<FileContent>> {
        match self.entries.get(path) {
            Some(entry) => Ok(entry.content.clone()),
            None => self.original(path),
        }
    }

    /// The file at `path` before the patch.
    pub fn original(&self, path: &RepoPath) -> Result<Option<FileContent>> {
        let objects = &self.base.tree.objects;
        let entry = objects.entry(self.base.tree.oid, path)?;
        Ok(entry.map(|TreeEntry { oid, mode }| FileContent { bytes: Bytes::Stored(oid), mode }))
    }

    /// The bytes of a file; a submodule has none.
    pub fn read(&self, content: &FileContent) -> Result<Arc<[u8]>> {
        match &content.bytes {
            Bytes::Stored(_) if content.mode == FileMode::Submodule => Ok(Arc::from([])),
            Bytes::Stored(oid) => self.base.tree.objects.blob(*oid),
            Bytes::Made(bytes) => Ok(Arc::clone(bytes)),
        }
    }

    /// Whether this patch renamed or copied a file to `path`. Another section may then still mean the path's own file.
    pub fn is_target(&self, path: &RepoPath) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.origin.is_some())
    }

    /// Why no new file can be at `path`, if so: a file that stays, a directory, or a file where a directory is needed.
    pub fn obstacle(&self, path: &RepoPath) -> Result<Option<&'static str>> {
        let stays = |path: &RepoPath| Ok::<_, Error>(!self.vacated.contains(path) && self.file(path)?.is_some());
        if self.is_target(path) || stays(path)? {
            return Ok(Some("a file is there already"));
        }
        if self.is_dir(path)? {
            return Ok(Some("a directory is there"));
        }
        for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            if stays(&RepoPath::new(&path.as_bytes()[..slash]))? {
                return Ok(Some("a part of its path is a file"));
            }
        }
        Ok(None)
    }

    /// In the base, or by a section so far.
    fn is_dir(&self, path: &RepoPath) -> Result<bool> {
        let below = RepoPath::new([path.as_bytes(), b"/"].concat());
        let is_made = (self.entries.range(&below..).next())
            .is_some_and(|(other, entry)| other.as_bytes().starts_with(below.as_bytes()) && entry.content.is_some());
        Ok(is_made || self.base.tree.objects.is_dir(self.base.tree.oid, path)?)
    }

    pub fn set(&mut self, path: &RepoPath, content: FileContent) {
        self.entries.entry(path.clone()).or_default().content = Some(content);
    }

    /// Like [`TreeBuilder::set`], for a file that comes from another path.
    pub fn set_from(&mut self, path: &RepoPath, content: FileContent, from: &RepoPath, how: ChangeType) {
        let entry = self.entries.entry(path.clone()).or_default();
        entry.content = Some(content);
        entry.origin = Some((from.clone(), how));
    }

    pub fn remove(&mut self, path: &RepoPath) {
        self.entries.insert(path.clone(), PathEntry::default());
    }

    /// Removes a renamed file from its old path. A file that was renamed to that path before stays.
    pub fn rename_from(&mut self, path: &RepoPath) {
        if !self.is_target(path) {
            self.remove(path);
        }
    }

    pub fn needs(&mut self, strategy: Strategy) {
        self.strategy = self.strategy.max(Some(strategy));
    }

    /// Takes over what placing the hunks of a file needed, and gives the file's new bytes.
    pub fn record(&mut self, placed: AppliedEdit) -> Bytes {
        self.strategy = self.strategy.max(placed.strategy);
        self.is_verbatim &= placed.is_verbatim;
        self.notes.extend(placed.notes);
        Bytes::Made(placed.bytes.into())
    }

    pub fn misfit(&mut self, path: &RepoPath, code: &'static str, message: impl Into<String>) {
        self.misfits.push(MisfitAt { path: path.clone(), hunk: None, code, message: message.into() });
    }

    pub fn hunk_misfits(&mut self, path: &RepoPath, misfits: Vec<HunkMisfit>) {
        self.misfits.extend(misfits.into_iter().map(|HunkMisfit { hunk, kind, message }| MisfitAt {
            path: path.clone(),
            hunk: Some(hunk),
            code: kind.code(),
            message,
        }));
    }

    pub fn note(&mut self, code: &'static str, path: &RepoPath, text: &str) {
        self.notes.push(Note::new(code, format!("{path}: {text}")));
    }
}
