//! `host guard test`: the component on its cases, by the engine that will run it.

use super::case::Case;
use super::expect;
use crate::error::Result;
use crate::git::Scratch;
use crate::guard::Trial;

/// What came of the cases.
#[derive(Debug, Clone)]
pub struct Tested {
    pub id: String,
    pub version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub cases: Vec<CaseResult>,
}

#[derive(Debug, Clone)]
pub struct CaseResult {
    pub name: String,
    /// The guard's word.
    pub verdict: &'static str,
    /// What is not as expected; empty when all is.
    pub wrong: Vec<String>,
    /// The expectation was written anew.
    pub updated: bool,
    pub micros: u64,
    pub fuel: u64,
}

impl Tested {
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.wrong.is_empty()).count()
    }
}

/// Judges every case; with `update`, what the guard says becomes what is expected. Errors: a file of a case is wrong, or cannot be
/// written.
pub fn test(guard: &Trial, cases: &[Case], scratch: &Scratch, update: bool, threads: usize) -> Result<Tested> {
    let samples = cases.iter().map(|case| case.sample(scratch)).collect::<Result<Vec<_>>>()?;
    let tried = guard.judge_all(&samples, threads)?;
    let mut results = Vec::with_capacity(cases.len());
    for (case, tried) in cases.iter().zip(tried) {
        let said = &tried.evidence.verdict;
        let updated = update && expect::update(&case.source, said)?;
        results.push(CaseResult {
            name: case.name.clone(),
            verdict: said.word(),
            // What was just written is what it said.
            wrong: if updated { Vec::new() } else { expect::compare(&case.source, said)? },
            updated,
            micros: tried.evidence.micros,
            fuel: tried.evidence.fuel,
        });
    }
    let description = guard.description();
    Ok(Tested {
        id: description.id.clone(),
        version: description.version.clone(),
        digest: guard.digest().to_owned(),
        cases: results,
    })
}
