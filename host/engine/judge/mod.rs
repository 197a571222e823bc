//! One change, judged by every guard of a set.

pub mod change_view;
mod evidence;
mod first_seen;
mod hunks;
pub mod listed;
pub mod parallel;
pub mod plan_stage;
pub mod readable;
mod revived;
pub mod single_guard;
mod stoppable;

use std::sync::Arc;

use guardhost_core::change::{Candidate, Event, Evidence, HostRule, Judgement, Observer, Task};

use crate::exceptions::{ChangeExceptions, no_own_exceptions};
use crate::judge::change_view::ChangeView;
use crate::judge::evidence::{JudgedGuard, Judging};
use crate::judge::stoppable::Stoppable;
use crate::reuse::Reuse;
use crate::set::{Guard, GuardSet};

/// The inputs of a judgement beside the candidate and the guards.
pub struct JudgeContext<'a> {
    /// None when the change is judged without a task.
    pub task: Option<&'a Task>,
    pub observer: &'a dyn Observer,
}

/// Holds the change to the host's own rules, and asks every guard. Never fails: a guard's failure is evidence. A
/// judgement during which the set was stopped ([`GuardSet::stop`]) says nothing about the change: the guards that were ended have errors
/// as evidence.
pub fn guard(candidate: &Candidate, set: &GuardSet, context: &JudgeContext) -> Judgement {
    context.observer.see(&Event::Judging { guards: set.ids() });
    let judging = Judging { set, change: change_view(candidate, context.task, set), reuse: Reuse::new(set) };
    let guards: Vec<&Guard> = set.guards.iter().collect();
    let mut rules = Vec::new();
    let judged = if any_version_mismatch(&judging, &guards) {
        parallel::map(&guards, set.machine.threads, |guard| judging.locked_out(guard))
    } else {
        in_two_phases(&judging, &guards, &mut rules)
    };
    let mut evidence: Vec<Evidence> = judged.into_iter().map(|judged| report(judged, context)).collect();
    for rule in &rules {
        context.observer.see(&Event::Judged { evidence: Box::new(rule.clone()) });
    }
    evidence.extend(rules);
    judging.reuse.save();
    Judgement { evidence }
}

/// The change as the set's guards see it: its objects can be read until the set is stopped.
pub fn change_view(candidate: &Candidate, task: Option<&Task>, set: &GuardSet) -> Arc<ChangeView> {
    let objects = Arc::new(Stoppable::new(candidate.objects.clone(), set.stop().clone()));
    let candidate = Candidate { objects, ..candidate.clone() };
    let view = ChangeView::new(candidate, task, &set.known).with_readers(set.readers());
    let shown = first_seen::shown(&view, set);
    Arc::new(match shown {
        Some(shown) => view.shown_as(shown),
        None => view,
    })
}

/// Embedded guards cannot mismatch, so a set of them alone starts no thread here.
fn any_version_mismatch(judging: &Judging, guards: &[&Guard]) -> bool {
    let pinned: Vec<&&Guard> = guards.iter().filter(|guard| guard.is_pinned()).collect();
    parallel::map(&pinned, judging.set.machine.threads, |guard| judging.version_mismatch(guard)).contains(&true)
}

/// In the order of `guards`. `rules` gets what the host's own rules say: if one rejects, no costly guard is called.
fn in_two_phases(judging: &Judging, guards: &[&Guard], rules: &mut Vec<Evidence>) -> Vec<JudgedGuard> {
    let threads = judging.set.machine.threads;
    // Without a thread: where all are reused, starting one would take longer than the rest.
    let mut slots: Vec<Option<JudgedGuard>> = guards.iter().map(|guard| judging.without_new_call(guard)).collect();
    let to_call = (0..guards.len()).filter(|index| slots[*index].is_none());
    let work: Vec<ContentWork> =
        to_call.map(|index| ContentWork::Guard(index, guards[index])).chain([ContentWork::Rules]).collect();
    for done in parallel::map_largest_first(&work, threads, ContentWork::size, |work| work.content(judging)) {
        match done {
            ContentDone::Rules(found) => rules.extend(found),
            ContentDone::Guard(index, judged) => slots[index] = judged.map(|judged| *judged),
        }
    }
    let mut exceptions = ChangeExceptions::new(&judging.set.exceptions, &judging.change);
    slots.iter_mut().flatten().for_each(|judged| exceptions.apply(&mut judged.evidence));
    let content = slots.iter().flatten().map(|judged| judged.evidence.clone());
    let own = HostRule::NoOwnExceptions.id();
    rules.iter_mut().filter(|rule| rule.id != own).for_each(|rule| exceptions.apply(rule));
    let content = Judgement { evidence: content.chain(rules.iter().cloned()).collect() }.verdict();
    let open: Vec<usize> = (0..guards.len()).filter(|index| slots[*index].is_none()).collect();
    let rest = parallel::map(&open, threads, |index| judging.command_phase(guards[*index], content));
    for (index, mut judged) in open.into_iter().zip(rest) {
        exceptions.apply(&mut judged.evidence);
        slots[index] = Some(judged);
    }
    slots.into_iter().flatten().collect()
}

/// A part of the content phase.
enum ContentWork<'g> {
    Rules,
    /// With its place in the set.
    Guard(usize, &'g Guard),
}

enum ContentDone {
    Rules(Vec<Evidence>),
    /// None for a guard of the command phase.
    Guard(usize, Option<Box<JudgedGuard>>),
}

impl ContentWork<'_> {
    /// The rules decode every file, which guards with much code wait for anyway.
    fn size(&self) -> usize {
        match self {
            ContentWork::Rules => usize::MAX,
            ContentWork::Guard(_, guard) => guard.size(),
        }
    }

    fn content(&self, judging: &Judging) -> ContentDone {
        match self {
            ContentWork::Guard(index, guard) => ContentDone::Guard(*index, judging.content_phase(guard).map(Box::new)),
            ContentWork::Rules => {
                let (set, change) = (judging.set, &judging.change);
                let readable = readable::files_readable(set, change.as_made());
                let rules = [readable, no_own_exceptions(set.exceptions.comments, change)];
                ContentDone::Rules(rules.into_iter().flatten().collect())
            }
        }
    }
}

fn report(judged: JudgedGuard, context: &JudgeContext) -> Evidence {
    if let Some(text) = judged.notice {
        context.observer.see(&Event::Notice { text });
    }
    context.observer.see(&Event::Judged { evidence: Box::new(judged.evidence.clone()) });
    judged.evidence
}
