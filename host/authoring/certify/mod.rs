//! `host guard certify`: does a guard keep the contract, whatever it is shown?
//!
//! It judges a corpus (the SDK's shared cases, changes or plans generated from a seed, odd bytes, growing inputs), and then the same again
//! by a perturbed host: in another order, several at a time, in fresh instances. What a registry should not have to take on trust
//! is looked at: that it is deterministic, never breaks, asks for no more than it says, points at lines that exist, and does not
//! grow faster than its input.

mod corpus;
mod dice;
mod growth;
mod looks;
mod paths;
mod plans;

use std::sync::Arc;

use serde_json::Value;

use self::corpus::Corpus;
use super::producers::producers;
use guardhost_core::change::{GuardVerdict, PlanStep};
use guardhost_core::error::Result;
use guardhost_engine::{GuardOutput, SingleGuard, Stage};
use guardhost_git::Scratch;
use guardhost_report::Certificate;

/// How it is done.
pub struct CertifyOptions {
    /// Of the generated changes, and of the order of the second run.
    pub seed: u64,
    /// How many changes are generated, or plans, as the guard judges these or those.
    pub changes: usize,
    /// What the guard is asked with: an object, or null for none.
    pub settings: Value,
    /// Paths that concern the guard, beside those that its globs suggest.
    pub paths: Vec<String>,
    /// Of the second run; at least two are used.
    pub threads: usize,
}

/// What the guard was shown, and what it said of it, twice.
pub struct Shown {
    pub name: String,
    pub first: GuardOutput,
    pub again: GuardOutput,
}

/// Errors: a corpus that cannot be made, settings that are no table. What the guard does wrong is in the certificate.
pub fn certify(guard: SingleGuard, scratch: &Scratch, wish: &CertifyOptions) -> Result<Certificate> {
    let paths = paths::paths(&guard.description().globs, &wish.paths);
    let guard = &guard.with_past(Arc::new(plans::InventedPast(paths.clone())));
    let description = guard.description();
    let mut all = vec![looks::described(guard, &wish.settings), looks::rights(guard), looks::sized(guard.size())];
    let (mut shown, mut growth) = (Vec::new(), Vec::new());
    if description.judges_changes() {
        let corpus = corpus::corpus(scratch, &paths, wish)?;
        let of_changes = changes(guard, &corpus, wish)?;
        let turned = corpus.turned();
        let turned_said = guard.judge_all(&turned.iter().map(|(_, sample)| sample.clone()).collect::<Vec<_>>(), 1)?;
        growth = growth::growth(guard, scratch, &paths, wish)?;
        all.push(looks::unordered(&of_changes, &turned, &turned_said));
        all.push(looks::pointing(&corpus, &of_changes)?);
        all.push(looks::growing(&growth));
        shown = of_changes;
    }
    if description.stages.contains(&Stage::Plan) {
        shown.extend(of_plans(guard, &plans::plans(&paths, wish), wish)?);
    }
    all.extend([
        looks::called(&shown, &paths),
        looks::deterministic(&shown),
        looks::unbroken(&shown),
        looks::within_limits(&shown),
    ]);
    all.sort_by_key(|look| std::cmp::Reverse(look.outcome));

    let first = || shown.iter().map(|shown| &shown.first);
    let count = |matches: fn(&GuardVerdict) -> bool| first().filter(|tried| matches(&tried.evidence.verdict)).count();
    Ok(Certificate {
        id: description.id.clone(),
        version: description.version.clone(),
        promise: description.promise.clone(),
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        imports: guard.imports().to_vec(),
        toolchain: producers(guard.component().bytes()),
        limits: guard.limits(),
        seed: wish.seed,
        shown: shown.len(),
        called: first().filter(|tried| tried.evidence.fuel > 0).count(),
        verdicts: [
            count(|verdict| matches!(verdict, GuardVerdict::Pass(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Reject(_))),
            count(|verdict| matches!(verdict, GuardVerdict::NotApplicable(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Error { .. })),
        ],
        fuel: first().map(|tried| tried.evidence.fuel).max().unwrap_or(0),
        memory: first().map(|tried| tried.memory).max().unwrap_or(0),
        micros: first().map(|tried| tried.evidence.micros).max().unwrap_or(0),
        looks: all,
        growth,
    })
}

/// All changes, and then the same again by a perturbed host.
fn changes(guard: &SingleGuard, corpus: &Corpus, wish: &CertifyOptions) -> Result<Vec<Shown>> {
    let samples = corpus.samples();
    let first = guard.judge_all(&samples, 1)?;
    let order = dice::Dice::new(wish.seed).order(samples.len());
    let turn = order.iter().map(|at| samples[*at].clone()).collect::<Vec<_>>();
    let again = guard.judge_all(&turn, wish.threads.max(2))?;
    Ok(paired(corpus.0.iter().map(|(name, _)| name), first, &order, again))
}

fn of_plans(guard: &SingleGuard, plans: &[(String, Vec<PlanStep>)], wish: &CertifyOptions) -> Result<Vec<Shown>> {
    let judge = |(_, steps): &(String, Vec<PlanStep>)| guard.judge_plan(steps, &wish.settings);
    let first = plans.iter().map(judge).collect::<Result<_>>()?;
    let order = dice::Dice::new(wish.seed).order(plans.len());
    let again = order.iter().map(|at| judge(&plans[*at])).collect::<Result<_>>()?;
    Ok(paired(plans.iter().map(|(name, _)| name), first, &order, again))
}

/// `again` is in the order `order`.
fn paired<'a>(
    names: impl Iterator<Item = &'a String>,
    first: Vec<GuardOutput>,
    order: &[usize],
    again: Vec<GuardOutput>,
) -> Vec<Shown> {
    let mut again: Vec<_> = order.iter().zip(again).collect();
    again.sort_by_key(|(at, _)| **at);
    let said = first.into_iter().zip(again);
    names.zip(said).map(|(name, (first, (_, again)))| Shown { name: name.clone(), first, again }).collect()
}
