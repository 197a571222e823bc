//! The tree as the patch would have it, file by file, until it is sealed into a candidate.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::ground::Ground;
use super::place::{Growth, announced};
use crate::change::{
    Blob, Candidate, ChangeType, Entry, FileChange, FileMode, FileOp, FilePatch, Hunk, Misfit, MisfitAt, Note, Patch,
    RepoPath, Strategy,
};
use crate::error::{Error, Result};

pub(super) struct Draft<'g> {
    pub ground: &'g Ground,
    files: BTreeMap<RepoPath, Slot>,
    histories: HashMap<RepoPath, History>,
    pub misfits: Vec<MisfitAt>,
    pub notes: Vec<Note>,
    /// The weakest way that was needed so far.
    strategy: Option<Strategy>,
    /// Paths that the patch itself empties.
    leaving: HashSet<RepoPath>,
}

/// What the patch made of one path.
#[derive(Clone, Default)]
struct Slot {
    content: Option<Content>,
    /// Where the content came from by rename or copy.
    origin: Option<(RepoPath, ChangeType)>,
}

/// What earlier sections of the patch did to a file.
#[derive(Clone, Default)]
pub(super) struct History {
    pub hunks: usize,
    pub growth: Vec<Growth>,
    pub announced: Growth,
}

/// A file: what is in it and what it is.
#[derive(Clone)]
pub(super) struct Content {
    pub bytes: Arc<[u8]>,
    pub mode: FileMode,
}

impl<'g> Draft<'g> {
    pub fn on(ground: &'g Ground, patch: &Patch) -> Self {
        let leaving = |file: &FilePatch| match &file.op {
            FileOp::Delete(_) => Some(file.path.clone()),
            FileOp::Rename { from, .. } => Some(from.clone()),
            _ => None,
        };
        Draft {
            ground,
            files: BTreeMap::new(),
            histories: HashMap::new(),
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

    pub fn history(&self, path: &RepoPath) -> History {
        self.histories.get(path).cloned().unwrap_or_default()
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

    pub fn remember(&mut self, path: &RepoPath, hunks: &[Hunk], growth: Growth) {
        let history = self.histories.entry(path.clone()).or_default();
        history.hunks += hunks.len();
        history.announced.extend(announced(hunks));
        history.growth.push(growth);
    }

    pub fn misfit(&mut self, path: &RepoPath, code: &'static str, message: impl Into<String>) {
        self.misfits.push(MisfitAt { path: path.clone(), hunk: None, code, message: message.into() });
    }

    pub fn note(&mut self, code: &'static str, path: &RepoPath, text: &str) {
        self.notes.push(Note::new(code, format!("{path}: {text}")));
    }

    /// Everything at once, or every misfit.
    pub fn seal(mut self, patch: &Patch) -> Result<Result<Candidate, Misfit>> {
        if !self.misfits.is_empty() {
            return Ok(Err(Misfit { at: self.misfits }));
        }
        let tree = &self.ground.tree;
        let mut sets = Vec::new();
        let mut removals = Vec::new();
        let mut files = Vec::new();
        let moved: Vec<RepoPath> = (self.files.values())
            .filter(|slot| slot.content.is_some())
            .filter_map(|slot| slot.origin.clone())
            .filter_map(|(from, how)| (how == ChangeType::Rename).then_some(from))
            .collect();
        for (path, slot) in &self.files {
            let before = tree.objects.entry(tree.oid, path)?;
            let after = match &slot.content {
                Some(content) => Some(Entry { oid: tree.objects.put_blob(&content.bytes)?, mode: content.mode }),
                None => None,
            };
            match after {
                Some(_) if after == before && slot.origin.is_none() => continue,
                None if before.is_none() => continue,
                Some(_) => sets.push((path.clone(), after)),
                None => removals.push((path.clone(), None)),
            }
            if after.is_some() || !moved.contains(path) {
                files.push(self.change(path, slot, before, after)?);
            }
        }
        let below_removed = |path: &RepoPath| {
            removals.iter().any(|(gone, _): &(RepoPath, _)| {
                path.as_bytes().strip_prefix(gone.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
            })
        };
        let oid = if files.is_empty() {
            self.strategy = Some(Strategy::AlreadyApplied);
            tree.oid
        } else if sets.iter().any(|(path, _)| below_removed(path)) {
            // A directory takes the place of a file: it has to be gone first.
            let cleared = tree.objects.edit_tree(tree.oid, &removals)?;
            tree.objects.edit_tree(cleared, &sets)?
        } else {
            tree.objects.edit_tree(tree.oid, &[removals, sets].concat())?
        };
        Ok(Ok(Candidate {
            base: self.ground.base,
            base_tree: tree.oid,
            tree: oid,
            files,
            strategy: self.strategy.or(Some(Strategy::Exact)),
            notes: patch.notes.iter().cloned().chain(self.notes).collect(),
            message: patch.message.clone(),
            objects: Arc::clone(&tree.objects),
        }))
    }

    fn change(&self, path: &RepoPath, slot: &Slot, before: Option<Entry>, after: Option<Entry>) -> Result<FileChange> {
        let objects = &self.ground.tree.objects;
        let (old_path, change_type, source) = match (&slot.origin, before, after) {
            (Some((from, how)), _, Some(_)) => (Some(from.clone()), *how, objects.entry(self.ground.tree.oid, from)?),
            (_, None, _) => (None, ChangeType::Add, None),
            (_, Some(_), None) => (None, ChangeType::Delete, before),
            (_, Some(_), Some(_)) => (None, ChangeType::Modify, before),
        };
        let old = self.bytes(source)?;
        let new = self.bytes(after)?;
        let (lines_added, lines_deleted) = count_lines(&old, &new)?;
        let blob =
            |entry: Option<Entry>, size: usize| entry.map(|Entry { oid, mode }| Blob { oid, mode, size: size as u64 });
        Ok(FileChange {
            path: path.clone(),
            old_path,
            change_type,
            before: blob(source, old.len()),
            after: blob(after, new.len()),
            lines_added,
            lines_deleted,
        })
    }

    fn bytes(&self, entry: Option<Entry>) -> Result<Arc<[u8]>> {
        match entry {
            Some(entry) if entry.mode != FileMode::Submodule => self.ground.tree.objects.blob(entry.oid),
            _ => Ok(Arc::from([])),
        }
    }
}

/// Lines added and deleted, as `git diff --numstat` counts them; none for binary files.
fn count_lines(old: &[u8], new: &[u8]) -> Result<(u32, u32)> {
    let (_, added, deleted) = git2::Patch::from_buffers(old, None, new, None, None)?.line_stats()?;
    Ok((u32::try_from(added)?, u32::try_from(deleted)?))
}
