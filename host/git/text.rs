//! A change as people read it.

use git2::{DiffFindOptions, DiffFormat, DiffOptions};

use super::tree::read;
use super::{Repo, failed};
use crate::change::Oid;
use crate::error::Result;

/// What differs between two trees, as `git diff -M` prints it. Bytes: contents and names may be in any encoding.
pub fn diff_text(repo: &Repo, old: Oid, new: Oid) -> Result<Vec<u8>> {
    let failed = |cause| failed(format!("cannot compare trees {old} and {new}"), cause);
    let store = repo.store();
    let repo = store.handle();
    let mut options = DiffOptions::new();
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
