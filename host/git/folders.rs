//! Large trees that are asked for one path after another. libgit2 keeps no tree of more than 4 KiB, some hundred entries, and inflates
//! and parses a larger one for each path: that is quadratic in the size of a folder.

use std::collections::{HashMap, HashSet};

use git2::{Repository, Tree};

use super::tree;
use guardhost_core::change::{FileMode, Oid, RepoPath};
use guardhost_core::error::Result;

/// Entries of a tree that libgit2 keeps itself.
const SMALL: usize = 100;

/// Entries of all trees that are kept: some 100 MB.
const MOST: usize = 1_000_000;

/// Id and mode by name; the mode is None for a directory.
type FolderEntries = HashMap<Box<[u8]>, (Oid, Option<FileMode>)>;

/// What large trees hold, kept from the second time that one is read.
#[derive(Default)]
pub struct Folders {
    read_once: HashSet<Oid>,
    kept: HashMap<Oid, FolderEntries>,
    entries: usize,
}

impl Folders {
    /// The object at `path`; the mode is None for a directory.
    pub fn find(&mut self, repo: &Repository, root: Oid, path: &RepoPath) -> Result<Option<(Oid, Option<FileMode>)>> {
        let mut found = (root, None);
        for name in path.parts() {
            // libgit2 takes names as C strings; no entry has an empty one or a NUL in it.
            if found.1.is_some() || name.is_empty() || name.contains(&0) {
                return Ok(None);
            }
            match self.entry(repo, found.0, name)? {
                Some(entry) => found = entry,
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    fn entry(&mut self, repo: &Repository, tree: Oid, name: &[u8]) -> Result<Option<(Oid, Option<FileMode>)>> {
        if let Some(folder) = self.kept.get(&tree) {
            return Ok(folder.get(name).copied());
        }
        let read = tree::read(repo, tree)?;
        let found = read.get_name_bytes(name).map(|entry| (entry.id(), tree::mode(entry.filemode())));
        if read.len() > SMALL && !self.read_once.insert(tree) {
            self.keep(tree, &read);
        }
        Ok(found)
    }

    fn keep(&mut self, oid: Oid, tree: &Tree) {
        if self.entries + tree.len() > MOST {
            self.kept.clear();
            self.entries = 0;
        }
        self.entries += tree.len();
        let entries = tree.iter().map(|entry| (entry.name_bytes().into(), (entry.id(), tree::mode(entry.filemode()))));
        self.kept.insert(oid, entries.collect());
    }
}
