//! A change as a diff for people.

use git2::{DiffFindOptions, DiffFormat, DiffOptions, Patch};

use super::tree::read;
use super::{Repo, failed};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

/// What differs between two trees, as `git diff -M` prints it. The bytes may be in any encoding, as contents and names may.
pub fn diff_text(repo: &Repo, old: Oid, new: Oid) -> Result<Vec<u8>> {
    print(repo, old, new, DiffOptions::new())
}

/// The same for one path.
pub fn diff_text_at(repo: &Repo, old: Oid, new: Oid, path: &RepoPath) -> Result<Vec<u8>> {
    let mut options = DiffOptions::new();
    options.disable_pathspec_match(true).pathspec(path.to_os());
    print(repo, old, new, options)
}

/// Lines added and deleted, as `git diff --numstat` counts them; none for binary content.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Result<(u32, u32)> {
    let failed = |cause| failed("cannot compare two contents", cause);
    let mut options = DiffOptions::new();
    options.context_lines(0);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options)).map_err(failed)?;
    let (_, added, deleted) = patch.line_stats().map_err(failed)?;
    Ok((added as u32, deleted as u32))
}

fn print(repo: &Repo, old: Oid, new: Oid, mut options: DiffOptions) -> Result<Vec<u8>> {
    let failed = |cause| failed(format!("cannot compare trees {old} and {new}"), cause);
    let store = repo.store();
    let repo = store.handle();
    let mut diff = repo
        .diff_tree_to_tree(Some(&read(&repo, old)?), Some(&read(&repo, new)?), Some(options.include_typechange(true)))
        .map_err(failed)?;
    diff.find_similar(Some(DiffFindOptions::new().renames(true))).map_err(failed)?;
    let mut text = Vec::new();
    let printed = diff.print(DiffFormat::Patch, |_, _, line| {
        if matches!(line.origin(), ' ' | '+' | '-') {
            text.push(line.origin() as u8);
        }
        text.extend_from_slice(line.content());
        true
    });
    printed.map_err(failed)?;
    Ok(text)
}
