//! `host guard certify`: does a guard keep the contract, whatever it is shown?
//!
//! It judges a corpus (the SDK's shared cases, changes generated from a seed, odd bytes, growing inputs), and then the same again
//! by a perturbed host: in another order, several at a time, in fresh instances. What a registry should not have to take on trust
//! is looked at: that it is deterministic, never breaks, asks for no more than it says, points at lines that exist, and does not
//! grow faster than its input.

mod corpus;
mod dice;
mod growth;
mod looks;
mod paths;

use serde_json::Value;

use super::producers::producers;
use crate::change::GuardVerdict;
use crate::error::Result;
use crate::git::Scratch;
use crate::guard::{Limits, Trial};

pub use growth::{Growth, Point};
pub use looks::{Look, Outcome};

/// How it is done.
pub struct Wish {
    /// Of the generated changes, and of the order of the second run.
    pub seed: u64,
    /// How many changes are generated.
    pub changes: usize,
    /// What the guard is asked with: an object, or null for none.
    pub settings: Value,
    /// Paths that concern the guard, beside those that its globs suggest.
    pub paths: Vec<String>,
    /// Of the second run; at least two are used.
    pub threads: usize,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Certificate {
    pub id: String,
    pub version: String,
    pub promise: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Tools that made it, by their own word.
    pub toolchain: Vec<String>,
    pub limits: Limits,
    pub seed: u64,
    /// Changes that it was shown, and those of them that it was called for.
    pub shown: usize,
    pub called: usize,
    /// How often it passed, rejected, did not apply, broke.
    pub verdicts: [usize; 4],
    /// The most that one call took.
    pub fuel: u64,
    pub memory: u64,
    pub micros: u64,
    pub looks: Vec<Look>,
    /// The steepest of each shape of input.
    pub growth: Vec<Growth>,
}

impl Certificate {
    /// Nothing that was looked at failed.
    pub fn is_granted(&self) -> bool {
        self.looks.iter().all(|look| look.outcome != Outcome::Fail)
    }
}

/// Errors: a corpus that cannot be made, settings that are no table. What the guard does wrong is in the certificate.
pub fn certify(guard: &Trial, scratch: &Scratch, wish: &Wish) -> Result<Certificate> {
    let description = guard.description();
    let paths = paths::paths(&description.globs, &wish.paths);
    let corpus = corpus::corpus(scratch, &paths, wish)?;
    let samples = corpus.samples();

    let first = guard.judge_all(&samples, 1)?;
    let order = dice::Dice::new(wish.seed).order(samples.len());
    let again = order.iter().map(|at| samples[*at].clone()).collect::<Vec<_>>();
    let again = guard.judge_all(&again, wish.threads.max(2))?;
    let turned = corpus.turned();
    let turned_said = guard.judge_all(&turned.iter().map(|(_, sample)| sample.clone()).collect::<Vec<_>>(), 1)?;
    let growth = growth::growth(guard, scratch, &paths, wish)?;

    let mut all = vec![
        looks::described(guard, &wish.settings),
        looks::rights(guard),
        looks::called(&first, &paths),
        looks::deterministic(&corpus, &first, &order, &again),
        looks::unordered(&corpus, &first, &turned, &turned_said),
        looks::unbroken(&corpus, &first),
        looks::within_limits(&corpus, &first),
        looks::pointing(&corpus, &first)?,
        looks::growing(&growth),
        looks::sized(guard.size()),
    ];
    all.sort_by_key(|look| std::cmp::Reverse(look.outcome));

    let count =
        |matches: fn(&GuardVerdict) -> bool| first.iter().filter(|tried| matches(&tried.evidence.verdict)).count();
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
        shown: first.len(),
        called: first.iter().filter(|tried| tried.evidence.fuel > 0).count(),
        verdicts: [
            count(|verdict| matches!(verdict, GuardVerdict::Pass(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Reject(_))),
            count(|verdict| matches!(verdict, GuardVerdict::NotApplicable(_))),
            count(|verdict| matches!(verdict, GuardVerdict::Error { .. })),
        ],
        fuel: first.iter().map(|tried| tried.evidence.fuel).max().unwrap_or(0),
        memory: first.iter().map(|tried| tried.memory).max().unwrap_or(0),
        micros: first.iter().map(|tried| tried.evidence.micros).max().unwrap_or(0),
        looks: all,
        growth,
    })
}
