//! What a ref gets when it moves: all commits that are new to it, as one change.

use std::collections::HashSet;

use super::candidate::candidate;
use super::commits::commit_infos;
use super::new_commits::{commit_change, is_merged_by_hand, new_commits};
use super::{MergedInMemory, Repo};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;

/// Commits that are new to a ref.
pub struct Arrival {
    /// Oldest first; never empty.
    pub commits: Vec<Oid>,
    /// What they bring in together, compared with what was known before; None where that cannot be said, since what was known does not
    /// merge by itself, or is more than two histories. With which of these a merge is compared would then be its author's choice.
    pub change: Option<Candidate>,
    /// The known commit on which they stand, along first parents; None for a history that begins with them.
    pub start: Option<Oid>,
}

/// The commits that `tip` reaches and none of `known` does; None where there is none.
///
/// # Errors
/// The history cannot be read.
pub fn arrival(repo: &Repo, tip: Oid, known: &[Oid]) -> Result<Option<Arrival>> {
    let commits = new_commits(repo, tip, known)?;
    let Some(last) = commits.last().copied() else { return Ok(None) };
    let new: HashSet<Oid> = commits.iter().copied().collect();
    let (mut ends, mut start) = (Vec::new(), Some(last));
    while let Some(commit) = start.filter(|commit| new.contains(commit)) {
        start = repo.parents_and_message(commit)?.0.first().copied();
    }
    if let [only] = commits.as_slice() {
        let change = if is_merged_by_hand(repo, *only)? { None } else { Some(commit_change(repo, *only)?) };
        return Ok(Some(Arrival { change, commits, start }));
    }
    ends.extend(start);
    for commit in &commits {
        for parent in repo.parents_and_message(*commit)?.0 {
            if !new.contains(&parent) && !ends.contains(&parent) {
                ends.push(parent);
            }
        }
    }
    let change = match known_tree(repo, &ends)? {
        Some(old) => {
            let change = candidate(repo, start, old, repo.tree_of(last)?)?;
            Some(Candidate { commits: commit_infos(repo, &commits)?, ..change })
        }
        None => None,
    };
    Ok(Some(Arrival { commits, change, start }))
}

/// What a ref that goes from `old` to `new` changes, with what these commits say about it.
///
/// # Errors
/// A tree or a commit cannot be read.
pub fn move_change(repo: &Repo, old: Oid, new: Oid, commits: &[Oid]) -> Result<Candidate> {
    let change = candidate(repo, Some(old), repo.tree_of(old)?, repo.tree_of(new)?)?;
    Ok(Candidate { commits: commit_infos(repo, commits)?, ..change })
}

/// What the known histories come to together; None where git does not merge them by itself.
fn known_tree(repo: &Repo, ends: &[Oid]) -> Result<Option<Oid>> {
    let mut newest: Vec<Oid> = Vec::new();
    for end in ends {
        let mut is_behind = false;
        for other in ends.iter().filter(|other| *other != end) {
            is_behind |= repo.contains(*other, *end)?;
        }
        if !is_behind {
            newest.push(*end);
        }
    }
    Ok(match newest.as_slice() {
        [] => Some(repo.empty_tree()?),
        [only] => Some(repo.tree_of(*only)?),
        [one, other] => match repo.merge_in_memory(*one, *other)? {
            MergedInMemory::Clean { tree, .. } => Some(tree),
            MergedInMemory::Conflicts(_) => None,
        },
        _ => None,
    })
}
