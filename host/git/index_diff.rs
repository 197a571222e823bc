//! What differs between HEAD's tree and the index.
//!
//! The index lists every file of the repository, and most of them need not be compared: for each directory that was not touched,
//! git keeps in it the id of the directory's tree (the `TREE` extension of gitformat-index). Where HEAD's tree has the same id, the
//! directory is skipped. `git commit` trusts those ids in the same way.

use std::cmp::Ordering;
use std::ops::Range;

use git2::Repository;

use super::index::{CachedTree, Index};
use super::tree;
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, FaultKind, Result};

#[derive(Default)]
pub(super) struct IndexDiff {
    /// The edits that turn HEAD's tree into the index's.
    pub edits: Vec<(RepoPath, Option<TreeEntry>)>,
    /// Files of `git add --intent-to-add`: for git their content is not in the index.
    pub intent_to_add: Vec<RepoPath>,
    /// Each path once. With any of these, the edits are incomplete.
    pub unmerged: Vec<RepoPath>,
    /// Directories (with a slash at the end) that a sparse index holds as one entry, and that differ from HEAD's. The caller adds
    /// their files to the edits.
    pub sparse_dirs: Vec<(Vec<u8>, Oid)>,
}

pub(super) fn compare(repo: &Repository, head: Oid, index: &Index) -> Result<IndexDiff> {
    let mut walk = IndexWalk { repo, index, found: IndexDiff::default() };
    walk.directory(&mut Vec::new(), Some(head), index.tree().as_ref(), 0..index.len())?;
    Ok(walk.found)
}

/// What `git ls-files` shows as the mode of a directory that a sparse index holds as one entry.
const DIRECTORY: u32 = 0o040000;

struct IndexWalk<'a> {
    repo: &'a Repository,
    index: &'a Index,
    found: IndexDiff,
}

impl IndexWalk<'_> {
    /// Compares `range`, the entries below `prefix`, with HEAD's tree of that directory.
    ///
    /// Both sides are in git's order, in which a directory's name ends in a slash, so they are merged as two sorted lists.
    fn directory(
        &mut self,
        prefix: &mut Vec<u8>,
        old: Option<Oid>,
        cached: Option<&CachedTree<'_>>,
        range: Range<usize>,
    ) -> Result<()> {
        if let Some((count, id)) = cached.and_then(|cached| cached.known)
            && count == range.len()
            && old.is_some_and(|old| old.as_bytes() == id)
        {
            return Ok(());
        }
        let mut olds = tree::entries(self.repo, old)?.into_iter().peekable();
        let mut next = range.start;
        loop {
            let new = (next < range.end).then(|| child(self.index, prefix, next..range.end));
            let order = match (olds.peek(), &new) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.key().cmp(new.name.iter().chain(new.is_dir.then_some(&b'/'))),
            };
            let old = if order == Ordering::Greater { None } else { olds.next() };
            let new = if order == Ordering::Less { None } else { new };
            let length = prefix.len();
            if let Some(new) = &new {
                next = new.entries.end;
                prefix.extend_from_slice(new.name);
            } else if let Some(old) = &old {
                prefix.extend_from_slice(&old.name);
            }
            self.compare_name(prefix, old.map(|old| (old.oid, old.mode)), new, cached)?;
            prefix.truncate(length);
        }
    }

    /// Compares one name, which is on one side or on both. A directory has no mode.
    fn compare_name(
        &mut self,
        path: &mut Vec<u8>,
        old: Option<(Oid, Option<FileMode>)>,
        new: Option<IndexChild<'_>>,
        cached: Option<&CachedTree<'_>>,
    ) -> Result<()> {
        let is_dir = new.as_ref().map_or(matches!(old, Some((_, None))), |new| new.is_dir);
        let old_dir = old.filter(|(_, mode)| mode.is_none()).map(|(oid, _)| oid);
        if !is_dir {
            let old = old.and_then(|(oid, mode)| Some(TreeEntry { oid, mode: mode? }));
            let new = match new {
                Some(new) => self.staged_entry(path, new.entries.start)?,
                None => None,
            };
            if old != new {
                self.found.edits.push((RepoPath::new(path.as_slice()), new));
            }
            return Ok(());
        }
        let (cached, entries) = match &new {
            Some(new) => (cached.and_then(|cached| cached.child(new.name)), new.entries.clone()),
            None => (None, 0..0),
        };
        path.push(b'/');
        if entries.len() == 1 {
            let only = self.index.entry(entries.start)?;
            if only.mode == DIRECTORY {
                if old_dir != Some(only.oid) {
                    self.directory(path, old_dir, None, 0..0)?;
                    self.found.sparse_dirs.push((path.clone(), only.oid));
                }
                return Ok(());
            }
        }
        self.directory(path, old_dir, cached, entries)
    }

    /// The entry that `git commit` would commit; None when it would commit none.
    fn staged_entry(&mut self, path: &[u8], at: usize) -> Result<Option<TreeEntry>> {
        let entry = self.index.entry(at)?;
        let path = RepoPath::new(path);
        if entry.stage != 0 {
            if self.found.unmerged.last() != Some(&path) {
                self.found.unmerged.push(path);
            }
            return Ok(None);
        }
        if entry.intent_to_add {
            self.found.intent_to_add.push(path);
            return Ok(None);
        }
        match FileMode::from_raw(entry.mode) {
            Some(mode) => Ok(Some(TreeEntry { oid: entry.oid, mode })),
            None => {
                Err(Fault::new(FaultKind::Git, format!("{path} has a mode in the index that git does not know")).into())
            }
        }
    }
}

/// A file or directory of the index.
struct IndexChild<'a> {
    name: &'a [u8],
    is_dir: bool,
    entries: Range<usize>,
}

/// The file or directory below `prefix` to which the first entry of `range` belongs, with all entries in it.
fn child<'a>(index: &'a Index, prefix: &[u8], range: Range<usize>) -> IndexChild<'a> {
    let path = index.path(range.start);
    let name = path.get(prefix.len()..).unwrap_or_default();
    let Some(slash) = name.iter().position(|byte| *byte == b'/') else {
        return IndexChild { name, is_dir: false, entries: range.start..range.start + 1 };
    };
    let dir = &path[..=prefix.len() + slash];
    // At least one, so that entries out of order cannot make the walk endless.
    let below = index.partition_point(range.clone(), |path| path.starts_with(dir)).max(range.start + 1);
    IndexChild { name: &name[..slash], is_dir: true, entries: range.start..below }
}
