//! Reads and edits trees.

use std::collections::BTreeMap;

use git2::{Repository, TreeBuilder};

use super::repo::empty_tree;
use super::{Store, failed, not_read};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, FaultKind, Result};

/// Git's number for a directory.
const DIRECTORY: i32 = 0o040000;

/// One entry of a tree.
pub(super) struct NamedEntry {
    pub name: Vec<u8>,
    pub oid: Oid,
    /// None for a directory.
    pub mode: Option<FileMode>,
}

impl NamedEntry {
    /// What git sorts by: the name, for a directory with a slash at the end.
    pub fn key(&self) -> impl Iterator<Item = &u8> {
        self.name.iter().chain(self.mode.is_none().then_some(&b'/'))
    }
}

/// The entries of one tree, in git's order; none where there is no tree.
pub(super) fn entries(repo: &Repository, tree: Option<Oid>) -> Result<Vec<NamedEntry>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    let named = |entry: git2::TreeEntry<'_>| NamedEntry {
        name: entry.name_bytes().to_vec(),
        oid: entry.id(),
        mode: mode(entry.filemode()),
    };
    Ok(read(repo, tree)?.iter().map(named).collect())
}

/// Visits every file below `tree`. False when `visit` stopped the walk. The store is not locked while `visit` runs, since it may use it.
pub(super) fn walk(
    store: &Store,
    tree: Oid,
    prefix: &mut Vec<u8>,
    visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool,
) -> Result<bool> {
    let entries = entries(&store.handle(), Some(tree))?;
    for NamedEntry { name, oid, mode } in entries {
        let length = prefix.len();
        prefix.extend_from_slice(&name);
        let proceed = match mode {
            Some(mode) => visit(&RepoPath::new(prefix.as_slice()), TreeEntry { oid, mode }),
            None => {
                prefix.push(b'/');
                walk(store, oid, prefix, visit)?
            }
        };
        prefix.truncate(length);
        if !proceed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Applies edits (None removes a file). Only trees that hold an edit are read and rewritten.
pub(super) fn edit(repo: &Repository, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
    let edits: BTreeMap<&[u8], Option<TreeEntry>> =
        edits.iter().map(|(path, entry)| (path.as_bytes(), *entry)).collect();
    let edits: Vec<_> = edits.into_iter().collect();
    edit_dir(repo, tree, &edits, 0)
}

/// `edits` are sorted by path, and all are below the directory whose path has `depth` bytes, with its slash.
///
/// Files are removed first, then subdirectories are edited, then files are added: so a file may become a directory, and the reverse.
fn edit_dir(repo: &Repository, tree: Oid, edits: &[(&[u8], Option<TreeEntry>)], depth: usize) -> Result<Oid> {
    let source = read(repo, tree)?;
    let mut builder = repo.treebuilder(Some(&source)).map_err(|cause| failed("cannot edit a tree", cause))?;
    let (mut added, mut subdirectories) = (Vec::new(), Vec::new());
    let mut rest = edits;
    while let Some((&(path, entry), after)) = rest.split_first() {
        let name = &path[depth..];
        if let Some(slash) = name.iter().position(|byte| *byte == b'/') {
            let dir = &path[..=depth + slash];
            let (below, after) = rest.split_at(rest.partition_point(|(path, _)| path.starts_with(dir)));
            subdirectories.push((&name[..slash], below));
            rest = after;
            continue;
        }
        rest = after;
        match (entry, current(&builder, name, path)?) {
            (Some(entry), _) => added.push((name, path, entry)),
            (None, None) => {}
            (None, Some((_, DIRECTORY))) => {
                return Err(conflicting(path, "is a directory, and cannot be removed as a file"));
            }
            (None, Some(_)) => {
                builder.remove(name).map_err(|cause| failed(format!("cannot remove {}", repo_path(path)), cause))?
            }
        }
    }
    for (name, below) in subdirectories {
        let path = below[0].0;
        let subtree = match current(&builder, name, path)? {
            Some((oid, DIRECTORY)) => oid,
            None => empty_tree()?,
            // There is nothing below a file, so there is nothing to remove.
            Some(_) if below.iter().all(|(_, entry)| entry.is_none()) => continue,
            Some(_) => return Err(conflicting(path, "is below a file")),
        };
        let edited = edit_dir(repo, subtree, below, depth + name.len() + 1)?;
        if edited != empty_tree()? {
            insert(&mut builder, name, path, edited, DIRECTORY)?;
        } else if current(&builder, name, path)?.is_some() {
            builder.remove(name).map_err(|cause| failed(format!("cannot remove {}", repo_path(path)), cause))?;
        }
    }
    for (name, path, entry) in added {
        if let Some((_, DIRECTORY)) = current(&builder, name, path)? {
            return Err(conflicting(path, "is a directory, and cannot become a file while files are in it"));
        }
        insert(&mut builder, name, path, entry.oid, entry.mode.raw() as i32)?;
    }
    builder.write().map_err(|cause| failed("cannot write a tree", cause))
}

fn insert(builder: &mut TreeBuilder<'_>, name: &[u8], path: &[u8], oid: Oid, mode: i32) -> Result<()> {
    // libgit2 refuses names such as `.git` and `..`, and objects that do not exist.
    let inserted = builder.insert(name, oid, mode);
    inserted.map(drop).map_err(|cause| failed(format!("cannot put {} into a tree", repo_path(path)), cause))
}

fn current(builder: &TreeBuilder<'_>, name: &[u8], path: &[u8]) -> Result<Option<(Oid, i32)>> {
    let entry = builder.get(name).map_err(|cause| failed(format!("not a path: {}", repo_path(path)), cause))?;
    Ok(entry.map(|entry| (entry.id(), entry.filemode())))
}

pub(super) fn read(repo: &Repository, oid: Oid) -> Result<git2::Tree<'_>> {
    repo.find_tree(oid).map_err(|cause| not_read(repo, oid, format!("cannot read tree {oid}"), cause))
}

/// None for a directory. libgit2 has already normalized the modes of old repositories.
pub(super) fn mode(raw: i32) -> Option<FileMode> {
    FileMode::from_raw(raw as u32)
}

fn conflicting(path: &[u8], why: &str) -> guardhost_core::error::Error {
    Fault::new(FaultKind::Git, format!("{} {why}", repo_path(path))).into()
}

fn repo_path(path: &[u8]) -> RepoPath {
    RepoPath::new(path)
}
