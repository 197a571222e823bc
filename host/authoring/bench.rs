//! `host guard bench`: what a guard costs on its cases, and what an older one did.

use super::case::Case;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, GuardOutput, SingleGuard};
use guardhost_git::Scratch;
use guardhost_report::{BenchResult, CaseFigures, GuardFigures};

/// Calls of each case: the median of five is steady enough to tell a change of a fifth.
const CALLS: usize = 5;

/// One case at a time on one thread, so that figures of time are those of the guard alone.
pub fn bench(
    guard: &SingleGuard,
    before: Option<&SingleGuard>,
    cases: &[Case],
    scratch: &Scratch,
) -> Result<BenchResult> {
    let samples = cases.iter().map(|case| Ok((case.name.as_str(), case.sample(scratch)?)));
    let samples = samples.collect::<Result<Vec<_>>>()?;
    Ok(BenchResult {
        id: guard.description().id.clone(),
        now: figures(guard, &samples)?,
        before: before.map(|before| figures(before, &samples)).transpose()?,
    })
}

fn figures(guard: &SingleGuard, samples: &[(&str, GuardInput)]) -> Result<GuardFigures> {
    let measure = |(name, sample): &(&str, GuardInput)| {
        let mut calls = (0..CALLS).map(|_| guard.judge(sample)).collect::<Result<Vec<GuardOutput>>>()?;
        calls.sort_by_key(|tried| tried.evidence.micros);
        let GuardOutput { evidence, memory } = calls.swap_remove(CALLS / 2);
        Ok(CaseFigures {
            name: (*name).to_owned(),
            verdict: (&evidence.verdict).into(),
            fuel: evidence.fuel,
            micros: evidence.micros,
            memory,
        })
    };
    Ok(GuardFigures {
        version: guard.description().version.clone(),
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        cases: samples.iter().map(measure).collect::<Result<_>>()?,
    })
}
