//! The plan stage: guards drop or change steps of a plan before a provider is asked for them.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::call::store_data::StoreData;
use crate::call::verdict::StepObjection;
use crate::call::{self, CallOutcome};
use crate::describe::Stage;
use crate::describe::outline::DescribedOutline;
use crate::limits::HostWork;
use crate::set::{Guard, GuardSet};
use guardhost_core::change::{Evidence, EvidenceSource, Judgement, Mode, PlanStep};

/// The judgement of a plan by the guards of the plan stage.
#[derive(Debug, Clone, Default)]
pub struct PlanJudgement {
    /// Evidence of each guard of that stage. Dropping a step is rejecting; a guard that fails rejects the whole plan.
    pub judgement: Judgement,
    /// What each enforced guard had done, in order; guards that let the plan be are left out.
    pub objections: Vec<GuardObjections>,
}

/// What one guard of the plan stage says of a plan.
#[derive(Debug, Clone)]
pub struct GuardObjections {
    /// Its id.
    pub guard: String,
    /// The event that its description names; empty when it names none.
    pub event: String,
    /// At most one for each step.
    pub objections: Vec<StepObjection>,
}

/// Asks every guard of the plan stage, in order: each gets what the enforced ones before it left. Never fails: a guard's failure is evidence.
pub fn plan(steps: &[PlanStep], set: &GuardSet) -> PlanJudgement {
    let mut all = PlanJudgement::default();
    let mut steps = steps.to_vec();
    for guard in &set.guards {
        let begun = Instant::now();
        let ((ran, mut objections), outline) = match guard.outline(set) {
            // Its stages are unknown, so it may be of this stage.
            Err(failure) => ((CallOutcome::without_call(failure.verdict()), Vec::new()), None),
            Ok(outline) if !outline.stages.contains(&Stage::Plan) => continue,
            Ok(outline) => (ask(guard, set, &steps), Some(outline)),
        };
        let evidence = evidence(guard, outline, ran, begun);
        if guard.spec.mode == Mode::Enforce && !objections.is_empty() {
            leave_one_each(&mut objections);
            apply(&mut steps, &objections);
            let (guard, event) = (evidence.id.clone(), evidence.event.clone());
            all.objections.push(GuardObjections { guard, event, objections });
        }
        all.judgement.evidence.push(evidence);
    }
    all
}

/// Of several objections to one step, one that drops it comes first.
fn leave_one_each(objections: &mut Vec<StepObjection>) {
    objections.sort_by_key(|objection| objection.hints.is_some());
    let mut known = BTreeSet::new();
    objections.retain(|objection| known.insert(objection.step.clone()));
}

fn apply(steps: &mut Vec<PlanStep>, objections: &[StepObjection]) {
    for objection in objections {
        match &objection.hints {
            None => steps.retain(|step| step.id != objection.step),
            Some(hints) => {
                steps.iter_mut().filter(|step| step.id == objection.step).for_each(|step| step.hints.clone_from(hints))
            }
        }
    }
}

fn ask(guard: &Guard, set: &GuardSet, steps: &[PlanStep]) -> (CallOutcome, Vec<StepObjection>) {
    let loaded = match guard.load(set) {
        Ok(loaded) => loaded,
        Err(failure) => return (CallOutcome::without_call(failure.verdict()), Vec::new()),
    };
    let limits = &guard.spec.limits;
    let call = StoreData::without_change(set.machine.services.clone(), limits, set.stop()).for_plan(steps.to_vec());
    call::check_plan(&loaded.pre, call, limits, &guard.settings)
}

/// For one guard: its evidence, the peak of linear memory in bytes, and what it made the host do.
pub fn alone(
    guard: &Guard,
    set: &GuardSet,
    outline: &DescribedOutline,
    steps: &[PlanStep],
) -> (Evidence, u64, HostWork) {
    let begun = Instant::now();
    let (ran, _) = ask(guard, set, steps);
    let (memory, host_work) = (ran.memory, ran.host_work);
    (evidence(guard, Some(outline), ran, begun), memory, host_work)
}

fn evidence(guard: &Guard, outline: Option<&DescribedOutline>, ran: CallOutcome, begun: Instant) -> Evidence {
    let described = |what: fn(&DescribedOutline) -> &str| outline.map(what).unwrap_or_default().to_owned();
    Evidence {
        id: guard.spec.id.clone(),
        mark: described(|outline| &outline.mark),
        version: described(|outline| &outline.version),
        digest: guard.digest().to_owned(),
        mode: guard.spec.mode,
        source: EvidenceSource::Guard,
        verdict: ran.verdict,
        event: described(|outline| &outline.event),
        micros: u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        fuel: ran.fuel,
        reused: false,
        cached: guard.loaded().is_some_and(|loaded| loaded.cached),
        metrics: ran.metrics,
        log: ran.log,
        allowed: Vec::new(),
        basis: ran.basis,
    }
}
