//! The story of a run: who was asked, what came, what the guards said, what was told back, and where it ended.

use guardhost_core::change::Usage;

use super::super::{format_units, labels};
use super::check::{self, conclusion, refusal, touched, verdicts};
use super::diff::diff;
use super::findings::findings;
use super::page::{BOLD, CYAN, DIM, GREEN, Page, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{RoundReport, RunReport};

/// Characters of the feedback that is shown; the trace and the record have all of it.
const MAX_TOLD: usize = 1_200;
/// Columns of the words at the left.
const LABEL: usize = 11;

pub fn run(page: &mut Page, run: &RunReport) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&run.run, 100)));
    if !run.task.is_empty() {
        told(page, "task", &escape::inline(&run.task, 400));
    }
    if let Some(base) = run.base {
        told(page, "base", &short(&base.to_string()));
    }
    for each in &run.rounds {
        page.gap();
        round(page, each, run.rounds_max);
    }
    page.gap();
    ending(page, run);
}

fn round(page: &mut Page, round: &RoundReport, max: u32) {
    let of = if max > 0 { format!(" of {max}") } else { String::new() };
    page.line(&page.paint(BOLD, &format!("round {}{of}", round.round)));
    for (provider, reason) in &round.failed {
        told(page, "failed", &format!("{}: {}", escape::inline(provider, 60), escape::inline(reason, 300)));
    }
    let name = escape::inline(&labels::provider(&round.provider, round.model.as_deref(), round.recorded), 200);
    let time = (round.micros > 0).then(|| format_units::time(round.micros, page.look.unicode));
    let usage = Some(labels::usage(&round.usage)).filter(|usage| !usage.is_empty());
    told(page, "asked", &[Some(name), time, usage].into_iter().flatten().collect::<Vec<_>>().join(", "));
    for note in &round.notes {
        told(page, "mended", &escape::inline(&note.to_string(), 300));
    }
    let format = round.format.map(|format| labels::format(format).to_owned());
    let placed = round.strategy.map(|strategy| format!("placed {}", labels::strategy(strategy)));
    let patch: Vec<_> = [format, placed].into_iter().flatten().collect();
    if !patch.is_empty() {
        told(page, "patch", &patch.join(", "));
    }
    page.inside(2 + LABEL, |page| touched(page, &round.touched));
    if let Some(checked) = &round.check {
        page.gap();
        page.inside(2, |page| {
            verdicts(page, checked);
            findings(page, checked);
            page.gap();
            conclusion(page, checked);
            check::notices(page, &checked.notices);
        });
    }
    // A rejection is the verdict above; the other failures come before any verdict.
    if let Some(failure) = round.failure.as_ref().filter(|_| round.check.is_none()) {
        page.inside(2, |page| refusal(page, failure));
    }
    if let Some(kept) = &round.kept {
        told(page, "kept", &escape::inline(kept, 200));
    }
    if let Some(feedback) = &round.feedback {
        told(page, "told back", "");
        let feedback = escape::block(feedback, MAX_TOLD);
        page.inside(4, |page| page.barred("", feedback.lines()));
    }
}

fn ending(page: &mut Page, run: &RunReport) {
    let time = format_units::time(run.micros, page.look.unicode);
    let rounds = format_units::count(run.rounds.len(), "round");
    match (run.commit, &run.branch) {
        (Some(commit), Some(branch)) => {
            let commit = short(&commit.to_string());
            let sign = page.paint(GREEN, page.sign("✓ committed", "committed"));
            let branch = page.paint(BOLD, &escape::inline(branch, 200));
            page.line(&format!("{sign} {commit} on {branch}, after {rounds}, {time}"));
        }
        _ => {
            let sign = page.paint(RED, page.sign("✗ ", ""));
            let outcome = page.paint(RED, &run.outcome.word().replace('-', " "));
            page.line(&format!("{sign}{outcome} after {rounds}, {time}; the repository is as it was"));
        }
    }
    if !run.cycle.is_empty() {
        let guards = escape::inline(&run.cycle.join(", "), 300);
        page.line(
            &page.paint(YELLOW, &format!("the same patch met the same findings twice: {guards} cannot be pleased")),
        );
    }
    if let Some(text) = run.diff.as_ref().filter(|text| !text.is_empty()) {
        page.gap();
        diff(page, text);
    }
    page.gap();
    check::notices(page, &run.notices);
    if run.rounds.len() > 1 && run.spent != Usage::default() {
        told(page, "spent", &labels::usage(&run.spent));
    }
    if let Some(trace) = &run.trace {
        told(page, "trace", &escape::inline(&trace.to_string_lossy(), 500));
    }
    if let (Some(_), Some(branch)) = (run.commit, &run.branch) {
        let command = format!("git merge {}", escape::inline(branch.trim_start_matches("refs/heads/"), 200));
        told(page, "next", &page.paint(CYAN, &command));
    }
}

fn told(page: &mut Page, label: &str, text: &str) {
    let label = page.paint(DIM, &format!("{label:LABEL$}"));
    page.line(&format!("  {label}{text}"));
}

fn short(oid: &str) -> String {
    oid.chars().take(10).collect()
}
