//! `host guard bench`: what a guard costs on its cases, and what an older one did.

use super::case::Case;
use crate::error::Result;
use crate::git::Scratch;
use crate::guard::{Sample, Trial, Tried};

/// Calls of each case: the median of five is steady enough to tell a change of a fifth.
const CALLS: usize = 5;

/// One guard's figures, and an older one's.
#[derive(Debug, Clone)]
pub struct Benched {
    pub id: String,
    pub now: Figures,
    /// What it is compared with.
    pub before: Option<Figures>,
}

#[derive(Debug, Clone)]
pub struct Figures {
    pub version: String,
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    /// In the order of the cases.
    pub cases: Vec<Measured>,
}

#[derive(Debug, Clone)]
pub struct Measured {
    pub name: String,
    pub verdict: &'static str,
    /// Deterministic.
    pub fuel: u64,
    /// Median wall time of instantiation and call, warm.
    pub micros: u64,
    /// Bytes of linear memory.
    pub memory: u64,
}

impl Figures {
    pub fn fuel(&self) -> u64 {
        self.cases.iter().map(|case| case.fuel).sum()
    }

    pub fn micros(&self) -> u64 {
        self.cases.iter().map(|case| case.micros).sum()
    }

    /// Of the case that takes most.
    pub fn memory(&self) -> u64 {
        self.cases.iter().map(|case| case.memory).max().unwrap_or(0)
    }
}

/// One case at a time on one thread, so that figures of time are those of the guard alone.
pub fn bench(guard: &Trial, before: Option<&Trial>, cases: &[Case], scratch: &Scratch) -> Result<Benched> {
    let samples = cases.iter().map(|case| Ok((case.name.as_str(), case.sample(scratch)?)));
    let samples = samples.collect::<Result<Vec<_>>>()?;
    Ok(Benched {
        id: guard.description().id.clone(),
        now: figures(guard, &samples)?,
        before: before.map(|before| figures(before, &samples)).transpose()?,
    })
}

fn figures(guard: &Trial, samples: &[(&str, Sample)]) -> Result<Figures> {
    let measure = |(name, sample): &(&str, Sample)| {
        let mut calls = (0..CALLS).map(|_| guard.judge(sample)).collect::<Result<Vec<Tried>>>()?;
        calls.sort_by_key(|tried| tried.evidence.micros);
        let Tried { evidence, memory } = calls.swap_remove(CALLS / 2);
        Ok(Measured {
            name: (*name).to_owned(),
            verdict: evidence.verdict.word(),
            fuel: evidence.fuel,
            micros: evidence.micros,
            memory,
        })
    };
    Ok(Figures {
        version: guard.description().version.clone(),
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        cases: samples.iter().map(measure).collect::<Result<_>>()?,
    })
}
