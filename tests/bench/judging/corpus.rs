//! Clones, their commits, and the files of a commit.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_git::{Repo, range};

use super::random::Random;

/// Larger files, in bytes, are left alone: nobody asks a model to write them again.
const LARGEST: u64 = 150_000;

pub struct Clone_ {
    pub path: String,
    /// Owner and name, where the path tells them.
    pub name: String,
    /// Newest first.
    pub commits: Vec<Oid>,
}

impl Clone_ {
    pub fn open(path: &str, commits: usize, options: &[String]) -> Self {
        let mut git = Command::new("git");
        git.args(["-C", path, "log", "--no-merges", "--min-parents=1", "--format=%H", "-n", &commits.to_string()]);
        let output = git.args(options).output().expect("git runs");
        assert!(output.status.success(), "{path}: {}", String::from_utf8_lossy(&output.stderr));
        let commits =
            String::from_utf8_lossy(&output.stdout).lines().map(|line| Oid::from_str(line).expect("an id")).collect();
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | "repo" | ".git")).collect();
        let name = parts.last().copied().unwrap_or(path).replace('+', "/");
        Clone_ { path: path.to_owned(), name, commits }
    }

    pub fn repo(&self) -> Repo {
        Repo::open(Path::new(&self.path)).expect("a repository")
    }
}

/// None where a shallow clone lacks the parent.
pub fn change(repo: &Repo, commit: Oid) -> Option<Candidate> {
    range(repo, &commit.to_string()).ok()
}

/// The files of one tree.
pub struct Files {
    pub objects: Arc<dyn Objects>,
    pub tree: Oid,
    all: Vec<(String, TreeEntry)>,
    /// Those that a commit touched, which come first half of the time.
    touched: Vec<String>,
}

impl Files {
    pub fn of(change: &Candidate) -> Self {
        let touched = change.files.iter().map(|file| file.path.to_string()).collect();
        Files { touched, ..Files::at(Arc::clone(&change.objects), change.tree) }
    }

    pub fn at(objects: Arc<dyn Objects>, tree: Oid) -> Self {
        let mut all = Vec::new();
        let walked = objects.walk(tree, &mut |path, entry| {
            if matches!(entry.mode, FileMode::File | FileMode::Executable) {
                all.push((path.to_string(), entry));
            }
            true
        });
        walked.expect("a tree");
        Files { objects, tree, all, touched: Vec::new() }
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
