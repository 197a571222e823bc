//! The queue in its order: what fits on what is before it.

use guardhost_core::change::Judgement;
use guardhost_core::error::Result;

use super::merges::{MergeChain, Tip};
use super::{QueueJudge, QueueOutcome, Waiting};

/// How a change was found to break something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakFound {
    /// Judged on top of the others.
    OnTop,
    /// Judged together with the others, as one change of the base.
    Whole,
}

enum QueuePosition {
    Nothing,
    ConflictsWithBase(Vec<String>),
    Rejected(Judgement),
    /// In the chain.
    Fits,
    Broken(BreakFound),
}

pub struct QueueWalk<'a> {
    pub waiting: &'a [Waiting],
    pub base: Tip,
    places: Vec<QueuePosition>,
    /// Each by itself on the base; the base's own tip for those that do not merge with it.
    pub alone: Vec<Tip>,
    /// Those that fit.
    pub chain: MergeChain,
}

impl<'a> QueueWalk<'a> {
    pub fn new(judges: &QueueJudge<'_>, waiting: &'a [Waiting]) -> Result<Self> {
        let base = Tip::at(judges.repo, judges.base)?;
        let mut walk = QueueWalk { waiting, base, places: Vec::new(), alone: Vec::new(), chain: MergeChain::new(base) };
        for (at, one) in waiting.iter().enumerate() {
            let place = walk.place(judges, at, one)?;
            walk.places.push(place);
        }
        walk.judge_whole(judges)?;
        Ok(walk)
    }

    fn place(&mut self, judges: &QueueJudge<'_>, at: usize, one: &Waiting) -> Result<QueuePosition> {
        self.alone.push(self.base);
        if judges.repo.contains(judges.base, one.head)? {
            return Ok(QueuePosition::Nothing);
        }
        let alone = match self.base.with(judges.repo, one.head)? {
            Ok(tip) => tip,
            Err(paths) => return Ok(QueuePosition::ConflictsWithBase(paths)),
        };
        self.alone[at] = alone;
        if let Some(judgement) = judges.rejection(self.base.tree, alone.tree)? {
            return Ok(QueuePosition::Rejected(judgement));
        }
        let before = self.chain.last();
        // The first of them is what it is by itself.
        let tip = match before == self.base {
            true => alone,
            false => match before.with(judges.repo, one.head)? {
                Ok(tip) if judges.rejection(before.tree, tip.tree)?.is_none() => tip,
                Ok(_) | Err(_) => return Ok(QueuePosition::Broken(BreakFound::OnTop)),
            },
        };
        self.chain.push(at, tip);
        Ok(QueuePosition::Fits)
    }

    /// Takes out of the chain what the guards reject when they see all of it as one change.
    fn judge_whole(&mut self, judges: &QueueJudge<'_>) -> Result<()> {
        while self.chain.members.len() > 1 && judges.rejection(self.base.tree, self.chain.last().tree)?.is_some() {
            let base = self.base.tree;
            let first = first_rejected(self.chain.members.len(), |count| {
                Ok(judges.rejection(base, self.chain.tips[count].tree)?.is_some())
            })?;
            let member = self.chain.members[first - 1];
            self.places[member] = QueuePosition::Broken(BreakFound::Whole);
            let left = self.chain.members.iter().filter(|other| **other != member);
            self.chain =
                MergeChain::from_members(judges.repo, self.base, left.map(|at| (*at, self.waiting[*at].head)))?;
        }
        Ok(())
    }

    /// Those that fit by themselves and not with the others, as places in the queue.
    pub fn broken(&self) -> Vec<(usize, BreakFound)> {
        let broken = |(at, place): (usize, &QueuePosition)| match place {
            QueuePosition::Broken(seen) => Some((at, *seen)),
            QueuePosition::Nothing
            | QueuePosition::ConflictsWithBase(_)
            | QueuePosition::Rejected(_)
            | QueuePosition::Fits => None,
        };
        self.places.iter().enumerate().filter_map(broken).collect()
    }

    pub fn outcomes(self) -> Vec<(u64, QueueOutcome)> {
        let prefix = |at: usize| {
            let place = self.chain.members.iter().position(|member| *member == at);
            place.map(|place| self.chain.tips[place + 1].tree)
        };
        let outcomes = self.places.into_iter().enumerate().map(|(at, place)| match (place, prefix(at)) {
            (QueuePosition::Nothing, _) => QueueOutcome::Nothing,
            (QueuePosition::ConflictsWithBase(paths), _) => QueueOutcome::ConflictsWithBase(paths),
            (QueuePosition::Rejected(judgement), _) => QueueOutcome::Rejected(judgement),
            (QueuePosition::Fits, Some(prefix)) => QueueOutcome::Fits { prefix },
            // It merges only with one that was taken out.
            (QueuePosition::Fits, None) | (QueuePosition::Broken(_), _) => QueueOutcome::Breaks,
        });
        self.waiting.iter().map(|one| one.number).zip(outcomes.collect::<Vec<_>>()).collect()
    }
}

/// The fewest of `all` with which it is rejected; it is with all of them. Between two counts it is looked at in the middle.
pub fn first_rejected(all: usize, is_rejected: impl Fn(usize) -> Result<bool>) -> Result<usize> {
    let (mut fine, mut rejected) = (0, all);
    while rejected - fine > 1 {
        let middle = fine + (rejected - fine) / 2;
        match is_rejected(middle)? {
            true => rejected = middle,
            false => fine = middle,
        }
    }
    Ok(rejected)
}
