//! Findings of what no test goes over.

use std::collections::BTreeMap;

use guard_sdk::Finding;

use crate::lines::{Fate, Lines};

/// Places that are listed one by one.
const MOST: usize = 20;

pub fn findings(lines: &Lines, rejects: bool) -> Vec<Finding> {
    let runs = runs(lines);
    let listed = runs.iter().take(MOST).map(|run| not_run(run, rejects));
    let mut findings: Vec<Finding> = listed.collect();
    let more = runs.len().saturating_sub(MOST);
    if more > 0 {
        findings.push(Finding::info("more", format!("{more} more places are not run by any test")));
    }
    findings.extend(not_known(lines));
    findings
}

/// Lines without another known line between them: those that hold no code do not separate.
struct Run<'l> {
    path: &'l str,
    first: u32,
    last: u32,
}

fn runs(lines: &Lines) -> Vec<Run<'_>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut is_open = false;
    for ((path, line), fate) in &lines.fates {
        match (fate, runs.last_mut()) {
            // A line of brackets may lie between.
            (Fate::NotRun, Some(run)) if is_open && run.path == path && *line <= run.last + 2 => run.last = *line,
            (Fate::NotRun, _) => runs.push(Run { path, first: *line, last: *line }),
            (Fate::Run | Fate::NotKnown, _) => {}
        }
        is_open = *fate == Fate::NotRun;
    }
    runs
}

fn not_run(Run { path, first, last }: &Run, rejects: bool) -> Finding {
    let message = match first == last {
        true => format!("no test goes over line {first} of {path}"),
        false => format!("no test goes over lines {first} to {last} of {path}"),
    };
    let finding = if rejects { Finding::error("not-run", message) } else { Finding::warning("not-run", message) };
    finding.at(path, *first).help("Write a test that needs this code, or take the code out if nothing does.")
}

fn not_known(lines: &Lines) -> Option<Finding> {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for ((path, _), fate) in &lines.fates {
        if *fate == Fate::NotKnown {
            *files.entry(path).or_default() += 1;
        }
    }
    let number: usize = files.values().sum();
    let why = match lines.reasons.is_empty() {
        true => format!("no runner tells lines of {}", files.keys().copied().collect::<Vec<_>>().join(", ")),
        false => lines.reasons.join("; "),
    };
    let message = format!("whether tests go over {number} of {} changed lines is not known: {why}", lines.fates.len());
    (number > 0).then(|| Finding::info("not-known", message))
}
