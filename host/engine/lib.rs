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
use judge::{Judged, Turn, is_another, judge};
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
    let case = Arc::new(Case::new(candidate, context.task, &set.known));
    let ask =
        |guards: &[&Guard], turn| parallel::map(guards, set.machine.threads, |guard| judge(guard, set, &case, turn));

    let guards: Vec<&Guard> = set.guards.iter().collect();
    if guards.iter().any(|guard| guard.pinned().is_some())
        && parallel::map(&guards, set.machine.threads, |guard| is_another(guard, set, &case)).contains(&true)
    {
        let barred = ask(&guards, Turn::Barred).into_iter().flatten().map(|judged| tell(judged, context));
        return Judgement { evidence: barred.collect() };
    }
    let cheap = ask(&guards, Turn::Cheap);
    let so_far =
        Judgement { evidence: cheap.iter().flatten().map(|judged| judged.evidence.clone()).collect() }.verdict();
    let waiting: Vec<&Guard> =
        guards.into_iter().zip(&cheap).filter(|(_, judged)| judged.is_none()).map(|(guard, _)| guard).collect();
    let mut costly = ask(&waiting, Turn::Costly(so_far)).into_iter().flatten();
    let evidence =
        cheap.into_iter().filter_map(|judged| judged.or_else(|| costly.next())).map(|judged| tell(judged, context));
    Judgement { evidence: evidence.collect() }
}

fn tell(judged: Judged, context: &Context) -> Evidence {
    if let Some(text) = judged.notice {
        context.observer.see(&Event::Notice { text });
    }
    context.observer.see(&Event::Judged { evidence: Box::new(judged.evidence.clone()) });
    judged.evidence
}
