//! `host guard test`: runs the component on its cases, in the engine that will judge changes.

use super::case::LoadedCase;
use super::expect;
use guardhost_core::change::{Evidence, GuardVerdict};
use guardhost_core::error::Result;
use guardhost_engine::SingleGuard;
use guardhost_git::ScratchRepository;
use guardhost_report::{CaseResult, CaseResults};

/// Judges every case; with `update`, writes the actual verdicts as the expected ones. Errors: a file of a case is wrong, or cannot
/// be written.
pub fn test(
    guard: &SingleGuard,
    cases: &[LoadedCase],
    scratch: &ScratchRepository,
    update: bool,
    threads: usize,
) -> Result<CaseResults> {
    let inputs = cases.iter().map(|case| Ok((case.input(scratch)?, case.models()?))).collect::<Result<Vec<_>>>()?;
    let output = guard.judge_cases(&inputs, threads)?;
    let mut results = Vec::with_capacity(cases.len());
    for (case, output) in cases.iter().zip(output) {
        let actual = &output.evidence.verdict;
        // An expectation that cannot be read is rewritten too.
        let changes = if update { expect::differences(&case.source, actual) } else { Ok(None) };
        let updated = update && expect::update(&case.source, actual)?;
        // The expectation was just written, so it matches.
        let mut wrong = if updated { Vec::new() } else { expect::compare(&case.source, actual)? };
        if !wrong.is_empty() {
            wrong.extend(failure(&output.evidence));
        }
        results.push(CaseResult {
            name: case.name.clone(),
            verdict: actual.into(),
            wrong,
            updated,
            changes: if updated { changes.ok().flatten().unwrap_or_default() } else { Vec::new() },
            micros: output.evidence.micros,
            fuel: output.evidence.fuel,
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

/// Why the guard failed, and the end of its log, where languages write a panic; nothing when it did not fail.
fn failure(evidence: &Evidence) -> Vec<String> {
    let GuardVerdict::Error { code, message, .. } = &evidence.verdict else { return Vec::new() };
    let log = evidence.last_words().iter().map(|line| format!("log ({}): {}", line.level, line.text));
    std::iter::once(format!("the guard failed [{code}]: {message}")).chain(log).collect()
}
