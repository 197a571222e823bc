//! `host guard certify`: does a guard keep the contract for every input?
//!
//! The guard judges a corpus (the SDK's shared cases, changes or plans generated from a seed, unusual bytes, growing inputs), and then
//! the same on a perturbed host: in another order, several at a time, in fresh instances. The certificate checks what a registry
//! should not take on trust: that the guard is deterministic, never fails, imports no more than it declares, points at lines that
//! exist, and needs fuel in proportion to its input.

pub(super) mod checks;
mod corpus;
mod paths;
mod plans;
pub(super) mod rng;
pub(super) mod scaling;

use std::sync::Arc;

use serde_json::Value;

use self::corpus::Corpus;
use super::producers::producers;
use guardhost_core::change::{GuardVerdict, PlanStep};
use guardhost_core::error::Result;
use guardhost_engine::{DescribedOutline, GuardOutput, SingleGuard, Stage};
use guardhost_git::ScratchRepository;
use guardhost_report::Certificate;

/// The options of `host guard certify`.
pub struct CertifyOptions {
    /// Seed of the generated changes, and of the order of the second run.
    pub seed: u64,
    /// How many changes to generate; plans, for a guard that judges plans.
    pub changes: usize,
    /// The guard's settings: an object, or null for none.
    pub settings: Value,
    /// Paths that concern the guard, besides those that its globs suggest.
    pub paths: Vec<String>,
    /// Threads of the second run; at least two are used.
    pub threads: usize,
}

/// The guard's two outputs for one input.
pub struct CertifiedOutput {
    pub name: String,
    pub first: GuardOutput,
    pub again: GuardOutput,
}

/// Errors: the corpus cannot be made, or the settings are not a table. Faults of the guard are in the certificate.
pub fn certify(guard: SingleGuard, scratch: &ScratchRepository, options: &CertifyOptions) -> Result<Certificate> {
    let paths = paths::paths(&guard.description().globs, &options.paths);
    let guard = &guard.with_past(Arc::new(plans::SyntheticHistory(paths.clone())));
    let description = guard.description();
    let mut all = vec![checks::described(guard, &options.settings), checks::rights(guard), checks::sized(guard.size())];
    let (mut shown, mut growth, mut reversed) = (Vec::new(), scaling::Scaling::default(), Vec::new());
    if DescribedOutline::from(description).judges_changes() {
        let corpus = corpus::corpus(scratch, &paths, options)?;
        shown = judge_changes(guard, &corpus, options)?;
        all.push(checks::pointing(&shown));
        // A guard that met its limits again and again fails whatever else it does; each further call would take seconds.
        if shown.len() == corpus.0.len() {
            let turned = corpus.reversed();
            let inputs = turned.iter().map(|(_, input)| input.clone()).collect::<Vec<_>>();
            reversed = turned.iter().map(|(at, _)| *at).zip(guard.judge_all(&inputs, 1)?).collect();
            all.push(checks::unordered(&shown, &reversed));
        }
        // How it grows explains limits that only large inputs meet.
        let limited = shown.iter().filter(|shown| checks::is_limit(&shown.first.evidence.verdict)).count();
        if 2 * limited < shown.len() {
            growth = scaling::scaling(guard, scratch, &paths, options)?;
            all.push(checks::growing(&growth));
        }
    }
    if description.stages.contains(&Stage::Plan) {
        shown.extend(judge_plans(guard, &plans::plans(&paths, options), options)?);
    }
    all.extend([
        checks::called(&shown, &paths),
        checks::deterministic(&shown),
        checks::unbroken(&shown, &reversed),
        checks::within_limits(&shown, &reversed),
    ]);
    all.sort_by_key(|look| std::cmp::Reverse(look.outcome));

    let first = || shown.iter().map(|shown| &shown.first);
    let count = |matches: fn(&GuardVerdict) -> bool| first().filter(|output| matches(&output.evidence.verdict)).count();
    Ok(Certificate {
        id: description.id.clone(),
        version: description.version.clone(),
        promise: description.promise.clone(),
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        imports: guard.imports().to_vec(),
        toolchain: producers(guard.component().bytes()),
        limits: guard.limits(),
        seed: options.seed,
        shown: shown.len(),
        called: first().filter(|output| output.evidence.fuel > 0).count(),
        verdicts: [
            count(|verdict| matches!(verdict, GuardVerdict::Pass(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Reject(_))),
            count(|verdict| matches!(verdict, GuardVerdict::NotApplicable(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Error { .. })),
        ],
        fuel: first().map(|output| output.evidence.fuel).max().unwrap_or(0),
        memory: first().map(|output| output.memory).max().unwrap_or(0),
        micros: first().map(|output| output.evidence.micros).max().unwrap_or(0),
        looks: all,
        growth: growth.by_size.into_iter().chain(growth.by_files).collect(),
    })
}

/// How many inputs may end at a limit before the rest is left out.
const ENOUGH: usize = 3;

/// Judges all changes, and then the same again on a perturbed host; fewer when the guard meets its limits again and again.
fn judge_changes(guard: &SingleGuard, corpus: &Corpus, options: &CertifyOptions) -> Result<Vec<CertifiedOutput>> {
    let mut inputs = corpus.inputs();
    let mut first: Vec<GuardOutput> = Vec::new();
    for some in inputs.chunks(8) {
        first.extend(guard.judge_all(some, 1)?);
        if first.iter().filter(|output| checks::is_limit(&output.evidence.verdict)).count() >= ENOUGH {
            break;
        }
    }
    inputs.truncate(first.len());
    let order = rng::Rng::new(options.seed).order(inputs.len());
    let turn = order.iter().map(|at| inputs[*at].clone()).collect::<Vec<_>>();
    let again = guard.judge_all(&turn, options.threads.max(2))?;
    Ok(paired(corpus.0.iter().map(|(name, _)| name), first, &order, again))
}

fn judge_plans(
    guard: &SingleGuard,
    plans: &[(String, Vec<PlanStep>)],
    options: &CertifyOptions,
) -> Result<Vec<CertifiedOutput>> {
    let judge = |(_, steps): &(String, Vec<PlanStep>)| guard.judge_plan(steps, &options.settings);
    let first = plans.iter().map(judge).collect::<Result<_>>()?;
    let order = rng::Rng::new(options.seed).order(plans.len());
    let again = order.iter().map(|at| judge(&plans[*at])).collect::<Result<_>>()?;
    Ok(paired(plans.iter().map(|(name, _)| name), first, &order, again))
}

/// Joins the outputs of both runs by input; those of the second are in the order `order`.
fn paired<'a>(
    names: impl Iterator<Item = &'a String>,
    first: Vec<GuardOutput>,
    order: &[usize],
    again: Vec<GuardOutput>,
) -> Vec<CertifiedOutput> {
    let mut again: Vec<_> = order.iter().zip(again).collect();
    again.sort_by_key(|(at, _)| **at);
    let said = first.into_iter().zip(again);
    names.zip(said).map(|(name, (first, (_, again)))| CertifiedOutput { name: name.clone(), first, again }).collect()
}
