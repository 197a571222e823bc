//! The whole way of a change, round by round.

use crate::autofix::{Law, fix};
use crate::settle::{CommitTarget, FEEDBACK_LIMIT, Memory, Terms, feedback, settle};
use guardhost_core::change::{
    Event, Feedback, Fixing, Misfit, NoPatch, NoPatchKind, Observer, Refused, Rejection, RoundFailure, Settled, Task,
    Tree,
};
use guardhost_core::error::{Error, Fault, Kind, Result};
use guardhost_engine::{Context, GuardSet, guard};
use guardhost_git::{Head, Repo};
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;
use guardhost_patch::sanitize::{Rules, sanitize};
use guardhost_provider::{Ask, Chain, NextAttempt, ProviderRuntime, is_over_budget, provide};
use guardhost_report::RunReport;
use guardhost_report::journal::Origin;
use guardhost_report::journal::Records;

use crate::recorder::Scribe;

/// Everything that a run needs. Nothing in it changes while it runs, but for the quotas that the chain remembers.
pub struct Way<'a> {
    /// UUIDv7 of this run.
    pub id: String,
    /// The command that walks it, for the records.
    pub command: &'static str,
    pub repo: &'a Repo,
    /// What every round stands on, read once: HEAD, or the index that stands on it.
    pub head: Head,
    pub onto: CommitTarget<'a>,
    pub task: Task,
    pub origin: Origin,
    /// What the first round is told already.
    pub told: Feedback,
    pub chain: Chain,
    pub surroundings: &'a ProviderRuntime,
    pub rules: &'a Rules,
    pub guards: &'a GuardSet,
    /// Whether the guards' own fixes are tried before the provider is asked again.
    pub fix: bool,
    /// What each provider may try; at least 1.
    pub rounds: u32,
    pub records: Option<&'a Records>,
    pub observers: &'a [&'a dyn Observer],
}

/// In traces, beside the classes of `provide`: what somebody answered, and again, was no use.
const UNREADABLE: &str = "unreadable";

/// Asks until a round is accepted, the rounds are used up, or they go in a circle.
///
/// # Errors
/// Of the provider, the repository or the records. Whatever happens, the user's HEAD, index and work tree stay as they are.
pub fn run(mut way: Way) -> Result<RunReport> {
    let scribe = Scribe::begin(&way)?;
    let mut memory = Memory::default();
    let mut told = std::mem::take(&mut way.told);
    // What one provider may try; another starts from the beginning.
    let mut last = way.rounds;
    let mut round = 0;
    while round < last {
        round += 1;
        let setback = match walk(&mut way, round, last, &told, &scribe) {
            Ok(outcome) => return scribe.end(outcome, Vec::new()),
            Err(Halt::Error(error)) if is_over_budget(&error) => return scribe.over_budget(&error),
            Err(Halt::Error(error)) => return Err(scribe.failed(error)),
            Err(Halt::RoundFailure(RoundFailure::NoPatch(NoPatch { kind: NoPatchKind::NoChange, .. }))) => {
                return scribe.end("no-change", Vec::new());
            }
            Err(Halt::RoundFailure(setback)) => setback,
        };
        if let Err(error) = scribe.setback(&setback) {
            return Err(scribe.failed(error));
        }
        match way.chain.learn(&setback, round < last) {
            NextAttempt::Content => {
                if let Some(cycle) = memory.remember(&scribe.attempt(), &setback) {
                    return scribe.end("rejected", cycle.guards);
                }
            }
            // What cannot be read has a ladder of its own, which ends.
            NextAttempt::Form => {}
            NextAttempt::Other { given_up, next } => {
                let message = "nothing that it wrote could be read and placed".to_owned();
                scribe.see(&Event::ProviderFailed { provider: given_up, class: UNREADABLE, message, next: Some(next) });
                last = round + way.rounds;
                // It is not told of what another wrote.
                (told, memory) = Default::default();
                continue;
            }
        }
        told = feedback(&setback, FEEDBACK_LIMIT);
        scribe.told(&told)?;
    }
    scribe.end("rejected", Vec::new())
}

/// One round: the seven stations in their order. What came of it, when it ends the run well.
fn walk(way: &mut Way, round: u32, last: u32, told: &Feedback, scribe: &Scribe) -> Result<&'static str, Halt> {
    scribe.next_round(round, last)?;
    let tree = Tree { objects: way.repo.store(), oid: way.head.tree };
    let ask = Ask { task: &way.task, feedback: told, tree: Some(&tree), round };

    let asked = provide(&ask, &mut way.chain, way.surroundings, scribe);
    scribe.spent(way.chain.spent());
    let reply = asked?;
    let mended = repair(scribe.reply(&reply)?);
    let patch = extract(scribe.mended(&reply, mended), &way.task.hints)?;
    let clean = sanitize(scribe.extracted(patch)?, way.rules, &tree)?;
    let ground = ApplyBase { base: way.head.commit, tree: tree.clone(), shown: None };
    let candidate = apply(scribe.sanitized(&clean)?, &ground)??;
    let context = Context { task: Some(&way.task), observer: scribe };
    if scribe.placed(&candidate)?.files.is_empty() {
        return Ok("no-change");
    }
    let judgement = guard(&candidate, way.guards, &context);
    scribe.judged(&candidate, &judgement)?;
    let law = Law { rules: way.rules, guards: way.guards, context: &context };
    let fixing = if way.fix { scribe.fixing(fix(&candidate, &judgement, &law)?)? } else { None };
    let (candidate, judgement, beneath) = match fixing {
        Some(Fixing::Accepted(fixed)) => (fixed.candidate, fixed.judgement, None),
        Some(Fixing::Rejected(fixed)) => {
            (candidate, judgement, Some(Box::new(Rejection::of(&fixed.candidate, fixed.judgement))))
        }
        Some(Fixing::Declined(_)) | None => (candidate, judgement, None),
    };
    // Whoever stops a run does not want its commit.
    if way.surroundings.cancel.is_cancelled() {
        return Err(Halt::Error(Fault::new(Kind::Interrupted, "interrupted before the change was settled").into()));
    }
    let terms = way.terms(round);
    scribe.settling(&candidate);
    match scribe.settled(settle(&candidate, &judgement, &terms)?) {
        Settled::Committed { .. } => Ok("committed"),
        Settled::Staged { .. } => Ok("staged"),
        Settled::Rejected { .. } => Err(Halt::RoundFailure(RoundFailure::Rejected(Rejection {
            beneath,
            ..Rejection::of(&candidate, judgement)
        }))),
    }
}

impl<'a> Way<'a> {
    fn terms(&self, round: u32) -> Terms<'a> {
        Terms { repo: self.repo, onto: self.onto.clone(), run: self.id.clone(), round, task: self.task.text.clone() }
    }
}

/// Why a round ended before it was committed.
enum Halt {
    /// Becomes feedback.
    RoundFailure(RoundFailure),
    Error(Error),
}

macro_rules! halt {
    ($($from:ident => $to:expr),*) => {$(
        impl From<$from> for Halt {
            fn from(why: $from) -> Self {
                $to(why)
            }
        }
    )*};
}
halt!(
    NoPatch => |why| Halt::RoundFailure(RoundFailure::NoPatch(why)),
    Refused => |why| Halt::RoundFailure(RoundFailure::Refused(why)),
    Misfit => |why| Halt::RoundFailure(RoundFailure::Misfit(why)),
    Error => Halt::Error
);
