//! With which of the others a change does not go.
//!
//! The others that fit are searched by halves: one question for all of them, and about log2 of their number for each that is found. That takes
//! for granted that a third change does not fix what two of them break. Those that do not fit are compared two by two.

use guardhost_core::change::Judgement;
use guardhost_core::error::Result;

use super::merges::{MergeChain, Tip};
use super::walk::{BreakFound, QueueWalk, first_rejected};
use super::{Break, BreakKind, QueueJudge};

pub fn breaks(judges: &QueueJudge<'_>, walk: &QueueWalk<'_>) -> Result<Vec<Break>> {
    let search = PartnerSearch { judges, walk };
    let broken = walk.broken();
    let mut found: Vec<(Vec<usize>, BreakKind)> = Vec::new();
    for (place, (at, seen)) in broken.iter().enumerate() {
        found.extend(search.among_fitting(*at, *seen)?);
        for (other, _) in &broken[..place] {
            if let Some(kind) = search.pair(*other, *at)? {
                found.push((vec![*other, *at], kind));
            }
        }
    }
    for (members, _) in &mut found {
        members.sort_unstable();
    }
    found.sort_by_key(|(members, _)| (members.last().copied(), members.clone()));
    let number = |at: usize| walk.waiting[at].number;
    Ok(found
        .into_iter()
        .map(|(members, kind)| Break { numbers: members.into_iter().map(number).collect(), kind })
        .collect())
}

struct PartnerSearch<'a> {
    judges: &'a QueueJudge<'a>,
    walk: &'a QueueWalk<'a>,
}

impl PartnerSearch<'_> {
    fn among_fitting(&self, at: usize, seen: BreakFound) -> Result<Vec<(Vec<usize>, BreakKind)>> {
        let (repo, head) = (self.judges.repo, self.walk.waiting[at].head);
        let mut found = Vec::new();
        let mut left = Vec::new();
        for member in &self.walk.chain.members {
            match self.walk.alone[*member].with(repo, head)? {
                Ok(_) => left.push(*member),
                Err(paths) => found.push((vec![*member, at], BreakKind::Conflict(paths))),
            }
        }
        while !left.is_empty() {
            let heads = left.iter().map(|member| (*member, self.walk.waiting[*member].head));
            let chain = MergeChain::from_members(repo, self.walk.base, heads)?;
            let all = chain.members.len();
            if all == 0 || !self.is_rejected(&chain, all, at, seen)? {
                break;
            }
            let first = first_rejected(all, |count| self.is_rejected(&chain, count, at, seen))?;
            let member = chain.members[first - 1];
            left.retain(|other| *other != member);
            match self.pair(member, at)? {
                Some(kind) => found.push((vec![member, at], kind)),
                None => {
                    // Not with this one alone: with all before it, or one of them.
                    if let Some(kind) = self.together(&chain, first, at, seen)? {
                        found.push((chain.members[..first].iter().copied().chain([at]).collect(), kind));
                    }
                    break;
                }
            }
        }
        Ok(found)
    }

    /// What two of them come to on the base: in the order of the queue, then in the other, then as one change.
    fn pair(&self, first: usize, second: usize) -> Result<Option<BreakKind>> {
        let (one, other) = (self.walk.alone[first.min(second)], self.walk.alone[first.max(second)]);
        let both = match one.with(self.judges.repo, self.walk.waiting[first.max(second)].head)? {
            Ok(both) => both,
            Err(paths) => return Ok(Some(BreakKind::Conflict(paths))),
        };
        for old in [one, other, self.walk.base] {
            if let Some(judgement) = self.judges.rejection(old.tree, both.tree)? {
                return Ok(Some(BreakKind::Rejected(judgement)));
            }
        }
        Ok(None)
    }

    fn is_rejected(&self, chain: &MergeChain, count: usize, at: usize, seen: BreakFound) -> Result<bool> {
        Ok(self.together(chain, count, at, seen)?.is_some())
    }

    /// The change on the first `count` of a chain.
    fn together(&self, chain: &MergeChain, count: usize, at: usize, seen: BreakFound) -> Result<Option<BreakKind>> {
        let before: Tip = chain.tips[count];
        let with = match before.with(self.judges.repo, self.walk.waiting[at].head)? {
            Ok(with) => with,
            Err(paths) => return Ok(Some(BreakKind::Conflict(paths))),
        };
        let old = match seen {
            BreakFound::OnTop => before.tree,
            BreakFound::Whole => self.walk.base.tree,
        };
        let rejected: Option<Judgement> = self.judges.rejection(old, with.tree)?;
        Ok(rejected.map(BreakKind::Rejected))
    }
}
