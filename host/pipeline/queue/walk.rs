//! The queue in its order: what fits on what is before it.

use guardhost_core::change::Judgement;
use guardhost_core::error::Result;

use super::merges::{Chain, Tip};
use super::{Judges, Placing, Waiting};

/// How a change was found to break something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Judged on top of the others.
    OnTop,
    /// Judged together with the others, as one change of the base.
    Whole,
}

enum Place {
    Nothing,
    ConflictsWithBase(Vec<String>),
    Rejected(Judgement),
    /// In the chain.
    Fits,
    Broken(Seen),
}

pub struct Walk<'a> {
    pub waiting: &'a [Waiting],
    pub base: Tip,
    places: Vec<Place>,
    /// Each by itself on the base; the base's own tip for those that do not merge with it.
    pub alone: Vec<Tip>,
    /// Those that fit.
    pub chain: Chain,
}

impl<'a> Walk<'a> {
    pub fn of(judges: &Judges<'_>, waiting: &'a [Waiting]) -> Result<Self> {
        let base = Tip::of(judges.repo, judges.base)?;
        let mut walk = Walk { waiting, base, places: Vec::new(), alone: Vec::new(), chain: Chain::new(base) };
        for (at, one) in waiting.iter().enumerate() {
            let place = walk.place(judges, at, one)?;
            walk.places.push(place);
        }
        walk.judge_whole(judges)?;
        Ok(walk)
    }

    fn place(&mut self, judges: &Judges<'_>, at: usize, one: &Waiting) -> Result<Place> {
        self.alone.push(self.base);
        if judges.repo.contains(judges.base, one.head)? {
            return Ok(Place::Nothing);
        }
        let alone = match self.base.with(judges.repo, one.head)? {
            Ok(tip) => tip,
            Err(paths) => return Ok(Place::ConflictsWithBase(paths)),
        };
        self.alone[at] = alone;
        if let Some(judgement) = judges.rejection(self.base.tree, alone.tree)? {
            return Ok(Place::Rejected(judgement));
        }
        let before = self.chain.last();
        // The first of them is what it is by itself.
        let tip = match before == self.base {
            true => alone,
            false => match before.with(judges.repo, one.head)? {
                Ok(tip) if judges.rejection(before.tree, tip.tree)?.is_none() => tip,
                Ok(_) | Err(_) => return Ok(Place::Broken(Seen::OnTop)),
            },
        };
        self.chain.push(at, tip);
        Ok(Place::Fits)
    }

    /// Takes out of the chain what the guards reject when they see all of it as one change.
    fn judge_whole(&mut self, judges: &Judges<'_>) -> Result<()> {
        while self.chain.members.len() > 1 && judges.rejection(self.base.tree, self.chain.last().tree)?.is_some() {
            let base = self.base.tree;
            let first = first_rejected(self.chain.members.len(), |count| {
                Ok(judges.rejection(base, self.chain.tips[count].tree)?.is_some())
            })?;
            let member = self.chain.members[first - 1];
            self.places[member] = Place::Broken(Seen::Whole);
            let left = self.chain.members.iter().filter(|other| **other != member);
            self.chain = Chain::of(judges.repo, self.base, left.map(|at| (*at, self.waiting[*at].head)))?;
        }
        Ok(())
    }

    /// Those that fit by themselves and not with the others, as places in the queue.
    pub fn broken(&self) -> Vec<(usize, Seen)> {
        let broken = |(at, place): (usize, &Place)| match place {
            Place::Broken(seen) => Some((at, *seen)),
            Place::Nothing | Place::ConflictsWithBase(_) | Place::Rejected(_) | Place::Fits => None,
        };
        self.places.iter().enumerate().filter_map(broken).collect()
    }

    pub fn placings(self) -> Vec<(u64, Placing)> {
        let prefix = |at: usize| {
            let place = self.chain.members.iter().position(|member| *member == at);
            place.map(|place| self.chain.tips[place + 1].tree)
        };
        let placings = self.places.into_iter().enumerate().map(|(at, place)| match (place, prefix(at)) {
            (Place::Nothing, _) => Placing::Nothing,
            (Place::ConflictsWithBase(paths), _) => Placing::ConflictsWithBase(paths),
            (Place::Rejected(judgement), _) => Placing::Rejected(judgement),
            (Place::Fits, Some(prefix)) => Placing::Fits { prefix },
            // It merges only with one that was taken out.
            (Place::Fits, None) | (Place::Broken(_), _) => Placing::Breaks,
        });
        self.waiting.iter().map(|one| one.number).zip(placings.collect::<Vec<_>>()).collect()
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
