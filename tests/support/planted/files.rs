//! The files among which a mistake is planted.

use std::sync::Arc;

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath, TreeEntry};

use super::super::random::Random;

/// Larger files, in bytes, are left alone: no model is asked to write them again.
const LARGEST: u64 = 150_000;

/// The files of one tree.
pub struct Files {
    pub objects: Arc<dyn Objects>,
    pub tree: Oid,
    all: Vec<(String, TreeEntry)>,
    /// Those that a commit touched, which come first half of the time.
    touched: Vec<String>,
}

impl Files {
    pub fn new(objects: Arc<dyn Objects>, tree: Oid, touched: Vec<String>) -> Self {
        let mut all = Vec::new();
        let walked = objects.walk(tree, &mut |path, entry| {
            if matches!(entry.mode, FileMode::File | FileMode::Executable) {
                all.push((path.to_string(), entry));
            }
            true
        });
        walked.expect("a tree");
        Files { objects, tree, all, touched }
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(path, _)| path.as_str())
    }

    pub fn has(&self, path: &str) -> bool {
        self.all.binary_search_by(|(other, _)| other.as_str().cmp(path)).is_ok()
            || self.paths().any(|other| other == path)
    }

    pub fn entry(&self, path: &str) -> Option<TreeEntry> {
        self.objects.entry(self.tree, &RepoPath::from(path)).ok().flatten()
    }

    /// None: not there, too large, or no text.
    pub fn text(&self, path: &str) -> Option<String> {
        let entry = self.entry(path)?;
        if self.objects.blob_size(entry.oid).ok()? > LARGEST {
            return None;
        }
        let text = String::from_utf8(self.objects.blob(entry.oid).ok()?.to_vec()).ok()?;
        (!text.contains(['\0', '\r'])).then_some(text)
    }

    /// Some files in a random order, each with its text: enough to find one that suits.
    pub fn some(&self, random: &mut Random, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let mut near: Vec<&str> = self.touched.iter().map(String::as_str).filter(|path| wanted(path)).collect();
        if random.below(2) == 0 {
            near.clear();
        }
        let mut far: Vec<&str> = self.paths().filter(|path| wanted(path)).collect();
        let mut found = Vec::new();
        while found.len() < 12 && !(near.is_empty() && far.is_empty()) {
            let pool = if near.is_empty() { &mut far } else { &mut near };
            let path = pool.swap_remove(random.below(pool.len()));
            found.extend(self.text(path).map(|text| (path.to_owned(), text)));
        }
        found
    }
}
