//! `host guard test`: the component on its cases, by the engine that will run it.

use super::case::Case;
use super::expect;
use guardhost_core::error::Result;
use guardhost_engine::SingleGuard;
use guardhost_git::Scratch;
use guardhost_report::{CaseResult, CaseResults};

/// Judges every case; with `update`, what the guard says becomes what is expected. Errors: a file of a case is wrong, or cannot be
/// written.
pub fn test(
    guard: &SingleGuard,
    cases: &[Case],
    scratch: &Scratch,
    update: bool,
    threads: usize,
) -> Result<CaseResults> {
    let samples = cases.iter().map(|case| case.sample(scratch)).collect::<Result<Vec<_>>>()?;
    let tried = guard.judge_all(&samples, threads)?;
    let mut results = Vec::with_capacity(cases.len());
    for (case, tried) in cases.iter().zip(tried) {
        let said = &tried.evidence.verdict;
        let updated = update && expect::update(&case.source, said)?;
        results.push(CaseResult {
            name: case.name.clone(),
            verdict: said.into(),
            // What was just written is what it said.
            wrong: if updated { Vec::new() } else { expect::compare(&case.source, said)? },
            updated,
            micros: tried.evidence.micros,
            fuel: tried.evidence.fuel,
        });
    }
    let description = guard.description();
    Ok(CaseResults {
        id: description.id.clone(),
        version: description.version.clone(),
        digest: guard.digest().to_owned(),
        cases: results,
    })
}
