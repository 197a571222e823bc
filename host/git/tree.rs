//! Reading and rewriting trees.

use std::collections::BTreeMap;

use git2::{Repository, TreeBuilder};

use super::repo::empty_tree;
use super::{Store, failed};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};

/// Git's number for a directory.
const DIRECTORY: i32 = 0o040000;

/// What stands at `path`, with the mode None for a directory.
pub(super) fn find(repo: &Repository, tree: Oid, path: &RepoPath) -> Result<Option<(Oid, Option<FileMode>)>> {
    let mut found = (tree, None);
    for name in path.parts() {
        // libgit2 takes names as C strings; no entry has an empty one or a NUL in it.
        if found.1.is_some() || name.is_empty() || name.contains(&0) {
            return Ok(None);
        }
        match read(repo, found.0)?.get_name_bytes(name) {
            Some(entry) => found = (entry.id(), mode(entry.filemode())),
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// One name in a tree.
pub(super) struct Item {
    pub name: Vec<u8>,
    pub oid: Oid,
    /// None for a directory.
    pub mode: Option<FileMode>,
}

impl Item {
    /// What git sorts by: the name of a directory ends in a slash.
    pub fn key(&self) -> impl Iterator<Item = &u8> {
        self.name.iter().chain(self.mode.is_none().then_some(&b'/'))
    }
}

/// What stands in one tree, in git's order; nothing where there is no tree.
pub(super) fn entries(repo: &Repository, tree: Option<Oid>) -> Result<Vec<Item>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    let item = |entry: git2::TreeEntry<'_>| Item {
        name: entry.name_bytes().to_vec(),
        oid: entry.id(),
        mode: mode(entry.filemode()),
    };
    Ok(read(repo, tree)?.iter().map(item).collect())
}

/// Visits every file below `tree`; false when `visit` ended it. The lock is free while `visit` runs, since it may ask the store.
pub(super) fn walk(
    store: &Store,
    tree: Oid,
    prefix: &mut Vec<u8>,
    visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool,
) -> Result<bool> {
    let items = entries(&store.handle(), Some(tree))?;
    for Item { name, oid, mode } in items {
        let length = prefix.len();
        prefix.extend_from_slice(&name);
        let go_on = match mode {
            Some(mode) => visit(&RepoPath::new(prefix.as_slice()), TreeEntry { oid, mode }),
            None => {
                prefix.push(b'/');
                walk(store, oid, prefix, visit)?
            }
        };
        prefix.truncate(length);
        if !go_on {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Only the trees on the way to an edit are read and rewritten.
pub(super) fn edit(repo: &Repository, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
    let edits: BTreeMap<&[u8], Option<TreeEntry>> =
        edits.iter().map(|(path, entry)| (path.as_bytes(), *entry)).collect();
    let edits: Vec<_> = edits.into_iter().collect();
    edit_dir(repo, tree, &edits, 0)
}

/// `edits` are sorted by path and all lie below the directory whose path has `depth` bytes, its slash included.
///
/// First what goes, then what lies deeper, then what comes: so a file may turn into a directory, and the other way.
fn edit_dir(repo: &Repository, tree: Oid, edits: &[(&[u8], Option<TreeEntry>)], depth: usize) -> Result<Oid> {
    let source = read(repo, tree)?;
    let mut builder = repo.treebuilder(Some(&source)).map_err(|cause| failed("cannot edit a tree", cause))?;
    let (mut sets, mut deeper) = (Vec::new(), Vec::new());
    let mut rest = edits;
    while let Some((&(path, entry), after)) = rest.split_first() {
        let name = &path[depth..];
        if let Some(slash) = name.iter().position(|byte| *byte == b'/') {
            let dir = &path[..=depth + slash];
            let (below, after) = rest.split_at(rest.partition_point(|(path, _)| path.starts_with(dir)));
            deeper.push((&name[..slash], below));
            rest = after;
            continue;
        }
        rest = after;
        match (entry, standing(&builder, name, path)?) {
            (Some(entry), _) => sets.push((name, path, entry)),
            (None, None) => {}
            (None, Some((_, DIRECTORY))) => {
                return Err(misplaced(path, "is a directory, and cannot be removed as a file"));
            }
            (None, Some(_)) => {
                builder.remove(name).map_err(|cause| failed(format!("cannot remove {}", shown(path)), cause))?
            }
        }
    }
    for (name, below) in deeper {
        let path = below[0].0;
        let subtree = match standing(&builder, name, path)? {
            Some((oid, DIRECTORY)) => oid,
            None => empty_tree()?,
            // Nothing stands below a file, so there is nothing to remove.
            Some(_) if below.iter().all(|(_, entry)| entry.is_none()) => continue,
            Some(_) => return Err(misplaced(path, "lies below a file")),
        };
        let edited = edit_dir(repo, subtree, below, depth + name.len() + 1)?;
        if edited != empty_tree()? {
            insert(&mut builder, name, path, edited, DIRECTORY)?;
        } else if standing(&builder, name, path)?.is_some() {
            builder.remove(name).map_err(|cause| failed(format!("cannot remove {}", shown(path)), cause))?;
        }
    }
    for (name, path, entry) in sets {
        if let Some((_, DIRECTORY)) = standing(&builder, name, path)? {
            return Err(misplaced(path, "is a directory, and cannot become a file while files are in it"));
        }
        insert(&mut builder, name, path, entry.oid, entry.mode.raw() as i32)?;
    }
    builder.write().map_err(|cause| failed("cannot write a tree", cause))
}

fn insert(builder: &mut TreeBuilder<'_>, name: &[u8], path: &[u8], oid: Oid, mode: i32) -> Result<()> {
    // libgit2 refuses names such as `.git` and `..`, and objects that do not exist.
    let inserted = builder.insert(name, oid, mode);
    inserted.map(drop).map_err(|cause| failed(format!("cannot put {} into a tree", shown(path)), cause))
}

fn standing(builder: &TreeBuilder<'_>, name: &[u8], path: &[u8]) -> Result<Option<(Oid, i32)>> {
    let entry = builder.get(name).map_err(|cause| failed(format!("not a path: {}", shown(path)), cause))?;
    Ok(entry.map(|entry| (entry.id(), entry.filemode())))
}

pub(super) fn read(repo: &Repository, oid: Oid) -> Result<git2::Tree<'_>> {
    repo.find_tree(oid).map_err(|cause| failed(format!("cannot read tree {oid}"), cause))
}

/// None for a directory. libgit2 has already made old, odd numbers regular.
pub(super) fn mode(raw: i32) -> Option<FileMode> {
    FileMode::from_raw(raw as u32)
}

fn misplaced(path: &[u8], why: &str) -> guardhost_core::error::Error {
    Fault::new(Kind::Git, format!("{} {why}", shown(path))).into()
}

fn shown(path: &[u8]) -> RepoPath {
    RepoPath::new(path)
}
