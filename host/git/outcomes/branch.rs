//! Where a branch left the line of HEAD, and which commits are its own.
//!
//! Which commits an ancestor of HEAD reaches is known since the line was read, so that only the branch's own commits are walked: git's search for the
//! best common ancestor reads both sides again for each of thousands of pull requests.

use std::collections::{BinaryHeap, HashSet};

use git2::Repository;

use super::failed;
use super::main_line::{MainLine, find};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

/// Commits of a branch that are looked at one by one.
pub const COMMITS: usize = 100;

/// The best common ancestor of a commit of HEAD and a tip. None: they have none, or it is not in this clone.
pub fn merge_base(repo: &Repository, line: &MainLine, of: Oid, tip: Oid) -> Option<Oid> {
    let known = line.on_line(of).and_then(|place| meeting(repo, line, place, tip));
    known.or_else(|| repo.merge_base(of, tip).ok())
}

/// The merge base, found by walking from `tip` to the main line alone. None if that finds none, so that git has to
/// compute it.
fn meeting(repo: &Repository, line: &MainLine, place: usize, tip: Oid) -> Option<Oid> {
    let mut met = HashSet::new();
    let mut seen = HashSet::new();
    let mut open = vec![tip];
    while let Some(oid) = open.pop() {
        if line.reaches(place, oid) {
            met.insert(oid);
        } else if seen.insert(oid) {
            open.extend(repo.find_commit(oid).ok()?.parent_ids());
        }
    }
    if met.len() == 1 {
        return met.into_iter().next();
    }
    // Where the branch took HEAD in, the newest commit of the line among these, if it reaches the others.
    let newest = met.iter().filter_map(|oid| line.on_line(*oid)).min()?;
    met.iter().all(|oid| line.reaches(newest, *oid)).then(|| line.first_parents[newest])
}

/// The newest commits that `tip` reaches and `base` does not, at most [`COMMITS`].
pub fn own_commits(repo: &Repository, line: Option<&MainLine>, base: Option<Oid>, tip: Oid) -> Result<Vec<Oid>> {
    let place = base.and_then(|base| line?.on_line(base));
    if let (Some(line), Some(place)) = (line, place) {
        return walk(repo, line, place, tip);
    }
    let failed = |cause| failed(format!("cannot list the commits up to {tip}"), cause);
    let mut walk = repo.revwalk().map_err(failed)?;
    walk.push(tip).map_err(failed)?;
    if let Some(base) = base {
        walk.hide(base).map_err(failed)?;
    }
    walk.take(COMMITS).collect::<Result<_, _>>().map_err(failed)
}

fn walk(repo: &Repository, line: &MainLine, place: usize, tip: Oid) -> Result<Vec<Oid>> {
    let mut own = Vec::new();
    let mut seen = HashSet::from([tip]);
    let mut open = BinaryHeap::from([(find(repo, tip)?.time().seconds(), tip)]);
    while let Some((_, oid)) = open.pop() {
        if line.reaches(place, oid) {
            continue;
        }
        own.push(oid);
        if own.len() == COMMITS {
            break;
        }
        for parent in find(repo, oid)?.parent_ids() {
            if seen.insert(parent) && !line.reaches(place, parent) {
                open.push((find(repo, parent)?.time().seconds(), parent));
            }
        }
    }
    Ok(own)
}
