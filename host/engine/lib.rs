//! Run every guard in a fresh sandbox and gather what they say.
//!
//! A guard that the change does not concern is not loaded; one that cannot be loaded is evidence, and does not keep the others from
//! judging. The guards of one change run in parallel; the evidence keeps their order.

pub mod embedded;
pub mod facts;
pub mod link_check;

mod bindings;
mod cache;
mod call;
mod capability;
mod case;
mod compile;
mod component_interface;
mod config;
mod decode;
mod default;
mod description;
mod engine;
mod failure;
mod globs;
mod inspect;
mod journal;
mod judge;
mod limits;
mod load;
mod metadata;
mod parallel;
mod plain;
mod plan;
mod run;
mod search;
mod services;
mod set;
mod settings;
mod single_guard;
mod verdict;

use std::sync::Arc;

use guardhost_core::change::{Candidate, Event, Evidence, Judgement, Observer, Task};

use case::Case;
use judge::{Judged, Judging};
use set::Guard;

pub use compile::{SUBCOMMAND, compile_here};
pub use component_interface::ComponentInterface;
pub use default::default_set;
pub use description::{Description, Need, Stage};
pub use embedded::EmbeddedGuards;
pub use failure::Failure;
pub use inspect::{Inspection, inspect, inspect_embedded};
pub use limits::Limits;
pub use metadata::{GuardMetadata, Identity};
pub use plain::is_kebab;
pub use plan::{PlanJudgement, plan};
pub use services::HostServices;
pub use set::{EngineContext, GuardSet, GuardSource, GuardSpec};
pub use single_guard::{GuardInput, GuardOutput, SingleGuard};

/// What a judgement takes beside the candidate.
pub struct Context<'a> {
    /// None when the change is judged without a task.
    pub task: Option<&'a Task>,
    pub observer: &'a dyn Observer,
}

/// Ask every guard. Never fails: what a guard cannot do is evidence.
pub fn guard(candidate: &Candidate, set: &GuardSet, context: &Context) -> Judgement {
    context.observer.see(&Event::Judging { guards: set.ids() });
    let judging = Judging { set, change: Arc::new(Case::new(candidate, context.task, &set.known)) };
    let guards: Vec<&Guard> = set.guards.iter().collect();
    let judged = if any_version_mismatch(&judging, &guards) {
        parallel::map(&guards, set.machine.threads, |guard| judging.locked_out(guard))
    } else {
        in_two_phases(&judging, &guards)
    };
    Judgement { evidence: judged.into_iter().map(|judged| report(judged, context)).collect() }
}

/// Embedded guards cannot mismatch, so that a set of them alone starts no thread for this.
fn any_version_mismatch(judging: &Judging, guards: &[&Guard]) -> bool {
    let pinned: Vec<&&Guard> = guards.iter().filter(|guard| guard.pinned().is_some()).collect();
    parallel::map(&pinned, judging.set.machine.threads, |guard| judging.version_mismatch(guard)).contains(&true)
}

/// In the order of `guards`.
fn in_two_phases(judging: &Judging, guards: &[&Guard]) -> Vec<Judged> {
    let threads = judging.set.machine.threads;
    let mut slots: Vec<Option<Judged>> = parallel::map(guards, threads, |guard| judging.content_phase(guard));
    let content = Judgement { evidence: slots.iter().flatten().map(|judged| judged.evidence.clone()).collect() };
    let content = content.verdict();
    let open: Vec<usize> = (0..guards.len()).filter(|index| slots[*index].is_none()).collect();
    let rest = parallel::map(&open, threads, |index| judging.command_phase(guards[*index], content));
    for (index, judged) in open.into_iter().zip(rest) {
        slots[index] = Some(judged);
    }
    slots.into_iter().flatten().collect()
}

fn report(judged: Judged, context: &Context) -> Evidence {
    if let Some(text) = judged.notice {
        context.observer.see(&Event::Notice { text });
    }
    context.observer.see(&Event::Judged { evidence: Box::new(judged.evidence.clone()) });
    judged.evidence
}
