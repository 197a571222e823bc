//! The plan stage: guards drop steps of a plan before a provider is asked for them.

use std::time::Instant;

use crate::call::store_data::StoreData;
use crate::call::verdict::Dropped;
use crate::call::{self, CallOutcome};
use crate::describe::Stage;
use crate::describe::outline::Outline;
use crate::limits::HostWork;
use crate::set::{Guard, GuardSet};
use guardhost_core::change::{Evidence, EvidenceSource, Judgement, Mode, PlanStep};

/// The judgement of a plan by the guards of the plan stage.
#[derive(Debug, Clone, Default)]
pub struct PlanJudgement {
    /// Evidence of each guard of that stage. Dropping a step is rejecting; a guard that fails rejects the whole plan.
    pub judgement: Judgement,
    /// The steps that enforced guards drop, each once.
    pub dropped: Vec<Dropped>,
}

/// Asks every guard of the plan stage, in order. Never fails: a guard's failure is evidence.
pub fn plan(steps: &[PlanStep], set: &GuardSet) -> PlanJudgement {
    let mut all = PlanJudgement::default();
    for guard in &set.guards {
        let begun = Instant::now();
        let ((ran, dropped), outline) = match guard.outline(set) {
            // Its stages are unknown, so it may be of this stage.
            Err(failure) => ((CallOutcome::without_call(failure.verdict()), Vec::new()), None),
            Ok(outline) if !outline.stages.contains(&Stage::Plan) => continue,
            Ok(outline) => (ask(guard, set, steps), Some(outline)),
        };
        if guard.spec.mode == Mode::Enforce {
            for (step, reason) in dropped {
                if !all.dropped.iter().any(|(known, _)| *known == step) {
                    all.dropped.push((step, reason));
                }
            }
        }
        all.judgement.evidence.push(evidence(guard, outline, ran, begun));
    }
    all
}

fn ask(guard: &Guard, set: &GuardSet, steps: &[PlanStep]) -> (CallOutcome, Vec<Dropped>) {
    let loaded = match guard.load(set) {
        Ok(loaded) => loaded,
        Err(failure) => return (CallOutcome::without_call(failure.verdict()), Vec::new()),
    };
    let limits = &guard.spec.limits;
    let call = StoreData::without_change(set.machine.services.clone(), limits, set.stop()).for_plan(steps.to_vec());
    call::check_plan(&loaded.pre, call, limits, &guard.settings)
}

/// For one guard: its evidence, the peak of linear memory in bytes, and what it made the host do.
pub fn alone(guard: &Guard, set: &GuardSet, outline: &Outline, steps: &[PlanStep]) -> (Evidence, u64, HostWork) {
    let begun = Instant::now();
    let (ran, _) = ask(guard, set, steps);
    let (memory, host_work) = (ran.memory, ran.host_work);
    (evidence(guard, Some(outline), ran, begun), memory, host_work)
}

fn evidence(guard: &Guard, outline: Option<&Outline>, ran: CallOutcome, begun: Instant) -> Evidence {
    let described = |what: fn(&Outline) -> &str| outline.map(what).unwrap_or_default().to_owned();
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
