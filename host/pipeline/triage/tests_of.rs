//! Whether a test of the repository names what a file defines.

use std::collections::BTreeSet;

use guardhost_core::change::{Candidate, FileMode, RepoPath};
use guardhost_core::error::Result;
use guardhost_engine::{Kind, Kinds};

/// Tests that are read.
const FILES: usize = 2_000;
/// Bytes of the longest one.
const LONGEST: u64 = 512 << 10;
/// Bytes of all.
const ALL: u64 = 32 << 20;

/// The words of the tests of a tree.
#[derive(Default)]
pub struct TestWords(BTreeSet<String>);

impl TestWords {
    /// Of the candidate as it would be.
    ///
    /// # Errors
    /// The repository's objects cannot be read.
    pub fn read(change: &Candidate, kinds: &Kinds) -> Result<Self> {
        let mut tests: Vec<(RepoPath, guardhost_core::change::Oid)> = Vec::new();
        change.objects.walk(change.tree, &mut |path, entry| {
            let is_file = matches!(entry.mode, FileMode::File | FileMode::Executable);
            if is_file && kinds.kind(&path.to_string()) == Kind::Test {
                tests.push((path.clone(), entry.oid));
            }
            tests.len() < FILES
        })?;
        let (mut words, mut bytes) = (BTreeSet::new(), 0);
        for (_, oid) in tests {
            let size = change.objects.blob_size(oid)?;
            if size > LONGEST || bytes + size > ALL {
                continue;
            }
            bytes += size;
            let text = String::from_utf8_lossy(&change.objects.blob(oid)?).into_owned();
            words.extend(words_of(&text).map(str::to_owned));
        }
        Ok(TestWords(words))
    }

    /// A definition of it, or the module itself.
    pub fn name(&self, path: &RepoPath, definitions: &[String]) -> bool {
        let path = path.to_string();
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
        self.0.contains(stem) || definitions.iter().map(last).any(|name| self.0.contains(&name))
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 2)
}
