//! Changes that wait to be merged, in an order: which of them the base takes one after the other, and which break one another.
//!
//! - `merges` merges commits in memory; no work tree, index, ref or file is touched.
//! - `walk` takes the changes in their order: each is merged on those before it that fit, and judged there.
//! - `partners` finds, for each that does not fit, with which of the others.
//!
//! A change is judged on what is before it, because that is what a merge of it would do; the guards say what the change brings in. What fits is
//! judged as a whole too, because a guard may see in one order what it does not see in the other.

mod merges;
mod partners;
mod walk;

use guardhost_core::change::{Candidate, Judgement, Observer, Oid};
use guardhost_core::error::Result;
use guardhost_git::Repo;

use guardhost_gate::{Case, Gate, Ruling};

use self::walk::QueueWalk;

/// One that waits.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// What it is known by.
    pub number: u64,
    /// Its commit.
    pub head: Oid,
}

/// What became of one.
#[derive(Debug, Clone)]
pub enum QueueOutcome {
    /// It can be merged after those before it that fit. The tree of all of them, in memory.
    Fits { prefix: Oid },
    /// The base has it already.
    Nothing,
    /// It does not merge with the base.
    ConflictsWithBase(Vec<String>),
    /// The guards reject it by itself.
    Rejected(Judgement),
    /// By itself it is fine, and with others not: they are in [`QueueMap::breaks`].
    Breaks,
}

/// Changes that cannot be merged together, though each can be without the others.
#[derive(Debug, Clone)]
pub struct Break {
    /// Their numbers, in the order of the queue: two, or more where no two of them do it.
    pub numbers: Vec<u64>,
    pub kind: BreakKind,
}

#[derive(Debug, Clone)]
pub enum BreakKind {
    /// They change the same lines of these files.
    Conflict(Vec<String>),
    /// They merge, and the guards reject what comes of it.
    Rejected(Judgement),
}

#[derive(Debug, Default)]
pub struct QueueMap {
    /// In the order of the queue.
    pub outcomes: Vec<(u64, QueueOutcome)>,
    /// By the later of the numbers' places in the queue.
    pub breaks: Vec<Break>,
    /// How often the guards were asked.
    pub judged: usize,
}

/// Places every one of `waiting` on `base`. `gate` holds the rules of the base.
///
/// # Errors
/// A commit that the repository does not have, or the command was stopped.
pub fn queue(repo: &Repo, base: Oid, waiting: &[Waiting], gate: &Gate, observer: &dyn Observer) -> Result<QueueMap> {
    let judges = QueueJudge { repo, base, gate, observer, asked: std::cell::Cell::new(0) };
    let walk = QueueWalk::new(&judges, waiting)?;
    let breaks = partners::breaks(&judges, &walk)?;
    Ok(QueueMap { outcomes: walk.outcomes(), breaks, judged: judges.asked.get() })
}

/// Asks the guards.
struct QueueJudge<'a> {
    repo: &'a Repo,
    base: Oid,
    gate: &'a Gate,
    observer: &'a dyn Observer,
    asked: std::cell::Cell<usize>,
}

impl QueueJudge<'_> {
    /// The judgement of the change between two trees; None when the guards accept it.
    fn rejection(&self, old: Oid, new: Oid) -> Result<Option<Judgement>> {
        if old == new {
            return Ok(None);
        }
        self.asked.set(self.asked.get() + 1);
        let candidate: Candidate = guardhost_git::candidate(self.repo, Some(self.base), old, new)?;
        Ok(match self.gate.rule(Case::report(candidate, None), self.observer)? {
            Ruling::Empty(_) => None,
            Ruling::Refused(refused) => Some(Judgement { evidence: vec![refused.as_evidence()] }),
            Ruling::Judged(judged) => (!judged.is_accepted()).then(|| judged.judgement().clone()),
        })
    }
}
