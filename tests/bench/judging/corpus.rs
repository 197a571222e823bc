//! Clones, and their commits.

use std::path::Path;
use std::process::Command;

use guardhost_core::change::{Candidate, Oid};
use guardhost_git::{Repo, range};

use super::Options;
use super::planted::files::Files;

pub struct Clone_ {
    pub path: String,
    /// Owner and name, where the path tells them.
    pub name: String,
    /// Newest first.
    pub commits: Vec<Oid>,
}

impl Clone_ {
    pub fn open(path: &str, options: &Options) -> Self {
        let mut git = Command::new("git");
        let kind: &[&str] =
            if options.merges { &["--merges", "--first-parent"] } else { &["--no-merges", "--min-parents=1"] };
        git.args(["-C", path, "log", "--format=%H", "-n", &options.commits.to_string()]).args(kind);
        let output = git.args(&options.git).output().expect("git runs");
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

/// The files that a commit leaves.
pub fn files(change: &Candidate) -> Files {
    let touched = change.files.iter().map(|file| file.path.to_string()).collect();
    Files::new(change.objects.clone(), change.tree, touched)
}
