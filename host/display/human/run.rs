//! A run round by round: the provider, the patch, the verdicts; then how the run ended. Rounds before the last are folded, and feedback
//! and trace are left out, unless all is asked for.

use guardhost_core::change::Usage;

use super::super::{format_units, labels};
use super::check::{conclusion, verdicts};
use super::diff::diff;
use super::findings::{findings, headlines};
use super::notes::notices;
use super::refusal::refusal;
use super::touched::touched;
use super::writer::{BOLD, GREEN, LABEL, PageWriter, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{FailedProvider, RoundReport, RunReport};

/// Maximum characters of the feedback; the trace and the record have all of it.
const MAX_FEEDBACK: usize = 1_200;

pub fn run(page: &mut PageWriter, run: &RunReport) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&run.run, 100)));
    if !run.task.is_empty() {
        page.field("task", &escape::inline(&run.task, 400));
    }
    if let Some(base) = run.base {
        page.field("base", &short(&base.to_string()));
    }
    for (at, each) in run.rounds.iter().enumerate() {
        page.gap();
        // What a later round has superseded is told in short.
        let folded = !page.look.verbose && at + 1 < run.rounds.len();
        round(page, each, run.rounds_max, folded);
    }
    page.gap();
    ending(page, run);
}

fn round(page: &mut PageWriter, round: &RoundReport, max: u32, folded: bool) {
    let of = if max > 0 { format!(" of {max}") } else { String::new() };
    page.line(&page.paint(BOLD, &format!("round {}{of}", round.round)));
    for FailedProvider { provider, reason } in &round.failed {
        page.field("failed", &format!("{}: {}", escape::inline(provider, 60), escape::inline(reason, 300)));
    }
    let name = escape::inline(&labels::provider(&round.provider, round.model.as_deref(), round.recorded), 200);
    let time = (round.micros > 0).then(|| format_units::time(round.micros, page.look.unicode));
    let usage = Some(labels::usage(&round.usage)).filter(|usage| !usage.is_empty());
    page.field("provider", &[Some(name), time, usage].into_iter().flatten().collect::<Vec<_>>().join(", "));
    for note in round.notes.iter().filter(|_| !folded) {
        page.field("repaired", &escape::inline(&note.to_string(), 300));
    }
    let format = round.format.map(|format| format.label().to_owned());
    let placed = round.strategy.map(|strategy| format!("placed {}", labels::strategy(strategy)));
    let patch: Vec<_> = [format, placed].into_iter().flatten().collect();
    if !patch.is_empty() {
        page.field("patch", &patch.join(", "));
    }
    if !folded {
        page.inside(2 + LABEL, |page| touched(page, &round.touched));
    }
    if let Some(checked) = round.check.as_ref().filter(|_| folded) {
        page.inside(2 + LABEL, |page| headlines(page, checked));
        page.inside(2, |page| conclusion(page, checked));
    }
    if let Some(checked) = round.check.as_ref().filter(|_| !folded) {
        page.gap();
        page.inside(2, |page| {
            verdicts(page, checked);
            findings(page, checked);
            page.gap();
            conclusion(page, checked);
            notices(page, &checked.notices);
        });
    }
    // When the guards rejected the change, the verdict above says so.
    if let Some(failure) = round.failure.as_ref().filter(|_| round.check.is_none()) {
        page.inside(2, |page| refusal(page, failure));
    }
    if let Some(kept) = round.kept.as_ref().filter(|_| !folded) {
        page.field("ref", &escape::inline(kept, 200));
    }
    if let Some(part) = round.part.as_ref().filter(|_| !folded) {
        page.field("part", &format!("{}: what the guards accept of it", escape::inline(part, 200)));
    }
    // It repeats the findings, in the words for a model.
    if let Some(feedback) = round.feedback.as_ref().filter(|_| page.look.verbose) {
        page.field("feedback", "");
        let feedback = escape::block(feedback, MAX_FEEDBACK);
        page.inside(4, |page| page.barred("", feedback.lines()));
    }
}

fn ending(page: &mut PageWriter, run: &RunReport) {
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
            let (style, sign) = match run.outcome.is_accepted() {
                true => (GREEN, page.sign("✓ ", "")),
                false => (RED, page.sign("✗ ", "")),
            };
            let outcome = page.paint(style, &format!("{sign}{}", run.outcome.words()));
            page.line(&format!("{outcome} after {rounds}, {time}; the repository is as it was"));
        }
    }
    if !run.cycle.is_empty() {
        let guards = escape::inline(&run.cycle.join(", "), 300);
        page.line(
            &page.paint(YELLOW, &format!("stopped: the same patch produced the same findings twice. These guards may contradict each other: {guards}")),
        );
    }
    if let Some(text) = run.diff.as_ref().filter(|text| !text.is_empty()) {
        page.gap();
        diff(page, text);
    }
    page.gap();
    notices(page, &run.notices);
    if run.rounds.len() > 1 && run.spent != Usage::default() {
        page.field("spent", &labels::usage(&run.spent));
    }
    if let Some(trace) = run.trace.as_ref().filter(|_| page.look.verbose) {
        page.field("trace", &escape::inline(&trace.to_string_lossy(), 500));
    }
    if let (Some(_), Some(branch)) = (run.commit, &run.branch) {
        let branch = escape::inline(branch.trim_start_matches("refs/heads/"), 200);
        let (repo, dir) = match &run.repo {
            Some(folder) => {
                let folder = escape::inline(&folder.to_string_lossy(), 500);
                (format!(" --repo {folder}"), format!(" -C {folder}"))
            }
            None => (String::new(), String::new()),
        };
        page.command("next", &format!("host accept {branch}{repo}, or git{dir} merge {branch}"));
    } else if run.rounds.iter().any(|round| round.part.is_some()) && run.commit.is_none() {
        let id = escape::inline(&run.run, 100);
        page.command(
            "next",
            &format!("host show {id}: the part that the guards accept, and host accept {id} --part to stage it"),
        );
    } else if run.rounds.len() > 1 && !page.look.verbose {
        page.command("more", &format!("host show {}", escape::inline(&run.run, 100)));
    }
}

fn short(oid: &str) -> String {
    oid.chars().take(10).collect()
}
