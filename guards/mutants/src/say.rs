//! Findings of what became of the mutants.

use std::collections::BTreeMap;

use guard_sdk::Finding;

use crate::mutants::Mutant;
use crate::runs::Fate;

/// Mutants that are listed one by one.
const MOST: usize = 20;

/// How many mutants had which fate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub killed: usize,
    pub survived: usize,
    pub not_run: usize,
}

impl Counts {
    pub fn new(fates: &[(Mutant, Fate)]) -> Self {
        let mut counts = Counts::default();
        for (_, fate) in fates {
            match fate {
                Fate::Killed => counts.killed += 1,
                Fate::Survived(_) => counts.survived += 1,
                Fate::NotRun(_) => counts.not_run += 1,
            }
        }
        counts
    }

    /// In percent of those that were run; None when none was.
    pub fn score(&self) -> Option<f64> {
        let run = self.killed + self.survived;
        (run > 0).then(|| 100.0 * self.killed as f64 / run as f64)
    }
}

pub fn findings(fates: &[(Mutant, Fate)], rejects: bool) -> Vec<Finding> {
    let survivors = fates.iter().filter_map(|(mutant, fate)| match fate {
        Fate::Survived(tests) => Some(survived(mutant, *tests, rejects)),
        Fate::Killed | Fate::NotRun(_) => None,
    });
    let mut findings: Vec<Finding> = survivors.collect();
    let more = findings.len().saturating_sub(MOST);
    findings.truncate(MOST);
    if more > 0 {
        findings.push(Finding::info("more", format!("{more} more mutants survived")));
    }
    findings.extend(not_run(fates));
    findings
}

fn survived(mutant: &Mutant, tests: usize, rejects: bool) -> Finding {
    let tests = if tests == 1 { "the one test passes".to_owned() } else { format!("all {tests} tests pass") };
    let message = match mutant.becomes.is_empty() {
        true => format!("without `{}` {tests}", mutant.was),
        false => format!("with `{}` in the place of `{}` {tests}", mutant.becomes, mutant.was),
    };
    let finding = match rejects {
        true => Finding::error("mutant-survived", message),
        false => Finding::warning("mutant-survived", message),
    };
    finding
        .at(&mutant.path, mutant.line)
        .help("Write a test that fails with this edit and passes without it, unless the edit changes nothing that anybody can see.")
}

fn not_run(fates: &[(Mutant, Fate)]) -> Option<Finding> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, fate) in fates {
        if let Fate::NotRun(why) = fate {
            *reasons.entry(why).or_default() += 1;
        }
    }
    let number: usize = reasons.values().sum();
    let reasons: Vec<String> = reasons.iter().map(|(why, number)| format!("{why} ({number})")).collect();
    let message = format!("of {number} of {} mutants nothing is known: {}", fates.len(), reasons.join("; "));
    (number > 0).then(|| Finding::info("not-run", message))
}
