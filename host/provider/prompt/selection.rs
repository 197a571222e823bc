//! Which files the prompt shows.
//!
//! Files are shown whole or not at all: those that are hinted (a folder means all in it); without hints every file of a small
//! tree, or else those whose path the task mentions. All others are listed.

use std::collections::BTreeSet;

use super::listing::listing;
use crate::Ask;
use guardhost_core::change::{FileMode, RepoPath, Tree, TreeEntry};
use guardhost_core::error::Result;

/// When the task names no file, a tree up to this size is shown whole, in bytes: a model cannot change what it cannot see.
const SMALL_TREE: u64 = 96 << 10;

/// The longest list of paths, in bytes.
const LISTING: usize = 48 << 10;
/// The same where hints name the files to be changed, so that the list is only for orientation.
const LISTING_WITH_HINTS: usize = 8 << 10;

/// Which files the prompt shows, and the list of the others.
pub(super) struct Selection {
    /// Without an entry the file does not exist yet.
    pub(super) shown: Vec<(RepoPath, Option<TreeEntry>)>,
    pub(super) listing: String,
}

pub(super) fn select(ask: &Ask) -> Result<Selection> {
    let Some(tree) = ask.tree else { return Ok(Selection { shown: Vec::new(), listing: String::new() }) };
    let mut files = Vec::new();
    tree.objects.walk(tree.oid, &mut |path, entry| {
        files.push((path.clone(), entry));
        true
    })?;
    match ask.task.hints.as_slice() {
        [] => without_hints(tree, files, &ask.task.text),
        hints => Ok(with_hints(&files, hints)),
    }
}

fn with_hints(files: &[(RepoPath, TreeEntry)], hints: &[RepoPath]) -> Selection {
    let mut shown = Vec::new();
    for hint in hints.iter().collect::<BTreeSet<_>>() {
        let below: Vec<_> = files.iter().filter(|(path, _)| is_at_or_below(path, hint)).collect();
        match below.is_empty() {
            true => shown.push((hint.clone(), None)),
            false => shown.extend(below.into_iter().map(|(path, entry)| (path.clone(), Some(*entry)))),
        }
    }
    shown.sort_by(|(a, _), (b, _)| a.cmp(b));
    shown.dedup_by(|(a, _), (b, _)| a == b);
    let rest = files.iter().filter(|(path, _)| shown.binary_search_by(|(known, _)| known.cmp(path)).is_err());
    let listing = listing(&rest.map(|(path, _)| path.to_string()).collect::<Vec<_>>(), LISTING_WITH_HINTS);
    Selection { shown, listing }
}

fn without_hints(tree: &Tree, files: Vec<(RepoPath, TreeEntry)>, task: &str) -> Result<Selection> {
    let mut total = 0;
    for (_, entry) in &files {
        total += size(tree, *entry)?;
        if total > SMALL_TREE {
            break;
        }
    }
    let mentioned = words(task);
    let (shown, rest): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(path, _)| total <= SMALL_TREE || mentioned.contains(path.as_bytes()));
    let listing = listing(&rest.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), LISTING);
    Ok(Selection { shown: shown.into_iter().map(|(path, entry)| (path, Some(entry))).collect(), listing })
}

/// In bytes. A submodule has no content in this repository.
fn size(tree: &Tree, entry: TreeEntry) -> Result<u64> {
    if entry.mode == FileMode::Submodule { Ok(0) } else { tree.objects.blob_size(entry.oid) }
}

fn is_at_or_below(path: &RepoPath, folder: &RepoPath) -> bool {
    let folder = folder.as_bytes().strip_suffix(b"/").unwrap_or(folder.as_bytes());
    path.as_bytes().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// The task's words without the punctuation around them, and the same with a leading dot: `.gitignore`.
fn words(task: &str) -> BTreeSet<&[u8]> {
    let quotes = |c: char| "`'\"([{<*_".contains(c);
    let punctuation = |c: char| quotes(c) || ".,;:!?)]}>".contains(c);
    let words = task.split_whitespace().map(|word| word.trim_end_matches(punctuation));
    words
        .flat_map(|word| [word.trim_start_matches(punctuation), word.trim_start_matches(quotes)])
        .map(str::as_bytes)
        .collect()
}
