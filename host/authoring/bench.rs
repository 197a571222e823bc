//! `host guard bench`: what a guard costs on its cases, compared with an older version.

use super::case::LoadedCase;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, GuardOutput, SingleGuard};
use guardhost_git::ScratchRepository;
use guardhost_report::{BenchFigures, BenchResult, CaseFigures};

/// Calls for each case: the median of five is steady enough to show a difference of 20 %.
const CALLS: usize = 5;

/// Runs one case at a time on one thread, so that times are not disturbed by other calls.
pub fn bench(
    guard: &SingleGuard,
    before: Option<&SingleGuard>,
    cases: &[LoadedCase],
    scratch: &ScratchRepository,
) -> Result<BenchResult> {
    let inputs = cases.iter().map(|case| Ok((case.name.as_str(), case.input(scratch)?)));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    Ok(BenchResult {
        id: guard.description().id.clone(),
        now: figures(guard, &inputs)?,
        before: before.map(|before| figures(before, &inputs)).transpose()?,
    })
}

fn figures(guard: &SingleGuard, inputs: &[(&str, GuardInput)]) -> Result<BenchFigures> {
    let measure = |(name, input): &(&str, GuardInput)| {
        let mut calls = (0..CALLS).map(|_| guard.judge(input)).collect::<Result<Vec<GuardOutput>>>()?;
        calls.sort_by_key(|output| output.evidence.micros);
        let GuardOutput { evidence, memory, .. } = calls.swap_remove(CALLS / 2);
        Ok(CaseFigures {
            name: (*name).to_owned(),
            verdict: (&evidence.verdict).into(),
            fuel: evidence.fuel,
            micros: evidence.micros,
            memory,
        })
    };
    Ok(BenchFigures {
        version: guard.description().version.clone(),
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        cases: inputs.iter().map(measure).collect::<Result<_>>()?,
    })
}
