//! How many commits of people the guards reject.

use std::collections::BTreeMap;

use guardhost_core::change::{Finding, GuardVerdict, Judgement, Severity, Verdict};

use super::corpus::{Clone_, change};
use super::judge::{Court, spread};
use super::{Options, percent};

/// In percent of the commits of all clones.
const BAR: f64 = 0.5;

/// Of one guard.
#[derive(Default, Clone, Copy)]
struct Tally {
    judged: usize,
    rejected: usize,
    errors: usize,
    idle: usize,
}

type Guards = BTreeMap<String, Tally>;

pub fn measure(court: &Court, clones: &[Clone_], options: &Options) -> bool {
    println!("## False alarms\n");
    println!("{:<28} {:>8} {:>9} {:>7} {:>8}", "repository", "commits", "rejected", "errors", "share");
    let (mut all, mut alarms) = (0, 0);
    let mut whole = Guards::new();
    for clone in clones {
        let judge =
            |repo: &mut guardhost_git::Repo, nth: usize| Some(court.judge(&change(repo, clone.commits[nth])?, None));
        let judgements = spread(options.threads, clone.commits.len(), || clone.repo(), judge);
        let (mut rejected, mut errors, mut guards) = (0, 0, Guards::new());
        for (commit, judgement) in clone.commits.iter().zip(&judgements) {
            let Some(judgement) = judgement else { continue };
            all += 1;
            rejected += usize::from(judgement.verdict() == Verdict::Reject);
            errors += usize::from(judgement.verdict() == Verdict::Error);
            count(&mut guards, judgement);
            count(&mut whole, judgement);
            if options.show && judgement.verdict() != Verdict::Pass {
                println!("== {} {commit}", clone.name);
                blame(judgement).iter().for_each(|line| println!("   {line}"));
            }
            if options.warnings {
                let warned = warnings(judgement);
                warned.iter().for_each(|line| println!("~~ {} {commit} {line}", clone.name));
            }
        }
        alarms += rejected + errors;
        let share = percent(rejected + errors, judgements.len());
        println!("{:<28} {:>8} {rejected:>9} {errors:>7} {share:>6.2} %", clone.name, judgements.len());
        if options.show {
            print(&guards);
        }
    }
    println!("{:<28} {all:>8} {alarms:>17} {:>6.2} %, with the errors\n", "all", percent(alarms, all));
    print(&whole);
    percent(alarms, all) <= BAR
}

fn count(guards: &mut Guards, judgement: &Judgement) {
    for evidence in &judgement.evidence {
        let tally = guards.entry(evidence.id.clone()).or_default();
        match evidence.verdict {
            GuardVerdict::Pass(_) => tally.judged += 1,
            GuardVerdict::Reject(_) => (tally.judged += 1, tally.rejected += 1).0,
            GuardVerdict::Error { .. } => tally.errors += 1,
            GuardVerdict::NotApplicable(_) => tally.idle += 1,
        }
    }
}

fn print(guards: &Guards) {
    println!("   {:<24} {:>8} {:>9} {:>7} {:>15}", "guard", "judged", "rejected", "errors", "not applicable");
    for (id, Tally { judged, rejected, errors, idle }) in guards {
        println!("   {id:<24} {judged:>8} {rejected:>9} {errors:>7} {idle:>15}");
    }
    println!();
}

/// Every reason why a change is not accepted.
pub fn blame(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for evidence in &judgement.evidence {
        match &evidence.verdict {
            GuardVerdict::Reject(findings) => {
                let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
                lines.extend(errors.map(|finding| said(&evidence.id, finding)));
            }
            GuardVerdict::Error { code, message, .. } => lines.push(format!("{} ERROR {code}: {message}", evidence.id)),
            GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => {}
        }
    }
    lines
}

/// What the guards say that rejects nothing.
fn warnings(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for evidence in &judgement.evidence {
        if let GuardVerdict::Pass(findings) | GuardVerdict::Reject(findings) = &evidence.verdict {
            let milder = findings.iter().filter(|finding| finding.severity != Severity::Error);
            lines.extend(milder.map(|finding| said(&evidence.id, finding)));
        }
    }
    lines
}

fn said(id: &str, finding: &Finding) -> String {
    let path = finding.path.as_deref().unwrap_or_default();
    format!("{id} {} {path}:{}: {}", finding.rule, finding.line.unwrap_or_default(), finding.message)
}
