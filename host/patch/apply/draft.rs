//! The tree as the patch would have it, file by file, until it is sealed into a candidate.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::ground::ApplyBase;
use guardhost_core::change::{ChangeType, FileMode, FileOp, FilePatch, MisfitAt, Note, Patch, RepoPath, Strategy};
use guardhost_core::error::{Error, Result};

pub(super) struct Draft<'g> {
    pub ground: &'g ApplyBase,
    pub files: BTreeMap<RepoPath, Slot>,
    pub misfits: Vec<MisfitAt>,
    pub notes: Vec<Note>,
    /// The weakest way that was needed so far.
    pub strategy: Option<Strategy>,
    /// Paths that the patch itself empties.
    leaving: HashSet<RepoPath>,
}

/// What the patch made of one path.
#[derive(Clone, Default)]
pub(super) struct Slot {
    pub content: Option<Content>,
    /// Where the content came from by rename or copy.
    pub origin: Option<(RepoPath, ChangeType)>,
}

/// A file: what is in it and what it is.
#[derive(Clone)]
pub(super) struct Content {
    pub bytes: Arc<[u8]>,
    pub mode: FileMode,
}

impl<'g> Draft<'g> {
    pub fn on(ground: &'g ApplyBase, patch: &Patch) -> Self {
        let leaving = |file: &FilePatch| match &file.op {
            FileOp::Delete(_) => Some(file.path.clone()),
            FileOp::Rename { from, .. } => Some(from.clone()),
            _ => None,
        };
        Draft {
            ground,
            files: BTreeMap::new(),
            misfits: Vec::new(),
            notes: Vec::new(),
            strategy: None,
            leaving: patch.files.iter().filter_map(leaving).collect(),
        }
    }

    pub fn used(&mut self, strategy: Strategy) {
        self.strategy = self.strategy.max(Some(strategy));
    }

    /// The file at `path`, as the sections so far leave it.
    pub fn file(&self, path: &RepoPath) -> Result<Option<Content>> {
        match self.files.get(path) {
            Some(slot) => Ok(slot.content.clone()),
            None => self.original(path),
        }
    }

    /// The file at `path` before the patch.
    pub fn original(&self, path: &RepoPath) -> Result<Option<Content>> {
        let objects = &self.ground.tree.objects;
        let Some(entry) = objects.entry(self.ground.tree.oid, path)? else { return Ok(None) };
        let bytes = match entry.mode {
            FileMode::Submodule => Arc::from([]),
            _ => objects.blob(entry.oid)?,
        };
        Ok(Some(Content { bytes, mode: entry.mode }))
    }

    /// Whether the file came to its path by this patch, so that the path's own file may still be meant elsewhere.
    pub fn has_arrived(&self, path: &RepoPath) -> bool {
        self.files.get(path).is_some_and(|slot| slot.origin.is_some())
    }

    /// What is in the way of a new file at `path`, if anything: a file that stays, a directory, or a file where a directory
    /// is needed.
    pub fn obstacle(&self, path: &RepoPath) -> Result<Option<&'static str>> {
        let stands = |path: &RepoPath| Ok::<_, Error>(!self.leaving.contains(path) && self.file(path)?.is_some());
        if self.has_arrived(path) || stands(path)? {
            return Ok(Some("a file stands there already"));
        }
        let below = RepoPath::new([path.as_bytes(), b"/"].concat());
        let drafted = self.files.range(&below..).next();
        if self.ground.tree.objects.is_dir(self.ground.tree.oid, path)?
            || drafted
                .is_some_and(|(other, slot)| other.as_bytes().starts_with(below.as_bytes()) && slot.content.is_some())
        {
            return Ok(Some("a directory stands there"));
        }
        for (slash, _) in path.as_bytes().iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            if stands(&RepoPath::new(&path.as_bytes()[..slash]))? {
                return Ok(Some("a part of its path is a file"));
            }
        }
        Ok(None)
    }

    pub fn set(&mut self, path: &RepoPath, content: Content) {
        self.files.entry(path.clone()).or_default().content = Some(content);
    }

    /// Like [`Draft::set`], for a file that came from another path.
    pub fn arrive(&mut self, path: &RepoPath, content: Content, from: &RepoPath, how: ChangeType) {
        let slot = self.files.entry(path.clone()).or_default();
        slot.content = Some(content);
        slot.origin = Some((from.clone(), how));
    }

    pub fn remove(&mut self, path: &RepoPath) {
        self.files.insert(path.clone(), Slot::default());
    }

    /// The path's file has left by rename; if another has arrived there before, that one stays.
    pub fn leave(&mut self, path: &RepoPath) {
        if !self.has_arrived(path) {
            self.remove(path);
        }
    }

    pub fn misfit(&mut self, path: &RepoPath, code: &'static str, message: impl Into<String>) {
        self.misfits.push(MisfitAt { path: path.clone(), hunk: None, code, message: message.into() });
    }

    pub fn note(&mut self, code: &'static str, path: &RepoPath, text: &str) {
        self.notes.push(Note::new(code, format!("{path}: {text}")));
    }
}
