//! Branches that are symbolic refs to something that is no branch: whoever moves that moves the branch, and no branch is seen to move.

use std::fs;
use std::path::Path;

use super::input::{BRANCHES, NAMESPACES, is_branch};

/// Git follows no more symbolic refs than five, one after the other.
const STEPS: usize = 5;

/// Larger files are no symbolic refs, in bytes: git reads no name of a ref beyond 4 KiB.
const LARGEST: u64 = 4096;

/// The branches of a repository that are symbolic refs, by full name, and what each leads to. Most often there are none.
pub struct SymbolicBranches<'a> {
    common: &'a Path,
    found: Vec<(String, String)>,
}

impl<'a> SymbolicBranches<'a> {
    /// Of the repository whose refs are in this folder. No symbolic ref is ever packed: each is a file of its own. What cannot be read leads
    /// nowhere for git either.
    pub fn read(common: &'a Path) -> Self {
        let mut found = Vec::new();
        for folder in [BRANCHES, NAMESPACES] {
            collect(common, folder.trim_end_matches('/'), &mut found);
        }
        SymbolicBranches { common, found }
    }

    /// A branch that leads to this ref, whether the ref is there or not.
    pub fn leading_to(&self, ref_name: &str) -> Option<&str> {
        // Refs of a work tree have another name in other work trees: `main-worktree/HEAD`, `worktrees/NAME/refs/bisect/bad`.
        let is_it = |at: &str| {
            let of_worktree = at
                .strip_prefix("main-worktree/")
                .or_else(|| at.strip_prefix("worktrees/")?.split_once('/').map(|(_, name)| name));
            at == ref_name || of_worktree == Some(ref_name)
        };
        let leads = |first: &str| {
            let mut at = Some(first.to_owned());
            (0..STEPS).any(|_| {
                let is_there = at.as_deref().is_some_and(is_it);
                at = at.take().and_then(|name| target(&self.common.join(name)));
                is_there
            })
        };
        self.found.iter().find(|(_, first)| leads(first)).map(|(branch, _)| branch.as_str())
    }
}

fn collect(common: &Path, name: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(common.join(name)).into_iter().flatten().flatten() {
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(common, &name, found),
            Ok(_) if is_branch(&name) => found.extend(target(&entry.path()).map(|target| (name, target))),
            Ok(_) | Err(_) => {}
        }
    }
}

/// What the symbolic ref in this file leads to. A link is an old form of one.
fn target(file: &Path) -> Option<String> {
    if let Ok(target) = fs::read_link(file) {
        return Some(target.to_string_lossy().into_owned());
    }
    fs::metadata(file).ok().filter(|about| about.is_file() && about.len() <= LARGEST)?;
    let text = fs::read(file).ok()?;
    Some(String::from_utf8_lossy(text.strip_prefix(b"ref:")?).trim().to_owned())
}
