//! What is left of a rejected change without the part that the guards accept.

use guardhost_core::change::{Candidate, Oid, RejectedLines, RejectedPlace};
use guardhost_core::error::Result;
use guardhost_git::{Hunk, Repo, candidate, hunks};

use super::shares::texts;

/// The places of `change` that its part `part` lacks, in the order of its files, by the lines that the files have in the change.
///
/// # Errors
/// The repository's objects cannot be read, or libgit2 cannot compare them.
pub(super) fn rejected_core(repo: &Repo, change: &Candidate, part: Oid) -> Result<Vec<RejectedPlace>> {
    let rest = candidate(repo, change.base, part, change.tree)?;
    let mut places = Vec::new();
    for (number, file) in rest.files.iter().enumerate() {
        let place = |lines| RejectedPlace { path: file.path.clone(), lines };
        // A file of which nothing is in the part is rejected as it is.
        let is_partly = match change.files.iter().find(|changed| changed.path == file.path) {
            Some(changed) => changed.before.map(|blob| blob.oid) != file.before.map(|blob| blob.oid),
            None => false,
        };
        match texts(&rest, number)?.filter(|_| is_partly) {
            Some((old, new)) => places.extend(hunks(&old, &new)?.iter().map(|hunk| place(lines(hunk)))),
            None => places.push(place(RejectedLines::All)),
        }
    }
    Ok(places)
}

fn lines(hunk: &Hunk) -> RejectedLines {
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    match hunk.new.is_empty() {
        true => RejectedLines::RemovedAfter(number(hunk.new.start)),
        false => RejectedLines::Between(number(hunk.new.start + 1), number(hunk.new.end)),
    }
}
