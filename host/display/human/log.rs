//! `host log`: the runs, or one of them in full.

use anstyle::Style;

use guardhost_core::change::{RecordedEnd, RunEnd};
use guardhost_core::error::Kind;
use guardhost_report::journal::{ApplyStatus, Evidence, History, Object, PatchSet, State};

use super::super::{format_units, labels};
use super::check::touched;
use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED, YELLOW};
use super::table::{self, cell};
use guardhost_report::escape;

/// The first characters of a run's id: the time to the millisecond.
const SHORTEST: usize = 13;

pub fn runs(page: &mut Page, runs: &[History]) {
    if runs.is_empty() {
        page.line("no runs are recorded here");
    }
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let commit = run.end().and_then(|end| end.result_commit_sha.as_deref()).unwrap_or_default();
            let (when, command, task) = match run.run() {
                Some((object, run)) => (when(&object.created_at), run.command.as_str(), run.task.as_str()),
                None => (String::new(), "", "(killed before anything was recorded)"),
            };
            vec![
                cell(BOLD, unique(run, runs)),
                cell(DIM, when),
                cell(PLAIN, escape::inline(command, 12)),
                cell(colour(run), escape::inline(&labels::ending(run), 24)),
                cell(DIM, format_units::count(run.rounds() as usize, "round")),
                cell(CYAN, escape::inline(commit, 10).chars().take(10).collect::<String>()),
                cell(PLAIN, escape::inline(task, 200)),
            ]
        })
        .collect();
    for line in table::rows(page, &rows) {
        page.line(&line);
    }
    unread(page, runs.iter().map(|run| run.unread).sum());
}

pub fn run(page: &mut Page, history: &History) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&history.run, 100)));
    if let Some((object, run)) = history.run() {
        told(page, "when", &when(&object.created_at));
        told(page, "command", &escape::inline(&run.command, 40));
        told(page, "task", &escape::inline(&run.task, 400));
        told(page, "provider", &escape::inline(&run.provider, 200));
        told(page, "base", run.commit.as_deref().unwrap_or("no commit yet"));
    }
    let ending = page.paint(colour(history), &escape::inline(&labels::ending(history), 24));
    let end = history.end();
    let time =
        end.map(|end| format!(" after {}", format_units::time(end.micros, page.look.unicode))).unwrap_or_default();
    told(page, "ended", &format!("{ending}{time}, {}", format_units::count(history.rounds() as usize, "round")));
    if let Some(commit) = end.and_then(|end| end.result_commit_sha.as_deref()) {
        told(page, "commit", &escape::inline(commit, 64));
    }
    if let Some(spent) = end.map(|end| labels::usage(&end.spent)).filter(|spent| !spent.is_empty()) {
        told(page, "spent", &spent);
    }
    if let Some(reason) = end.and_then(|end| end.rationale.as_deref()) {
        told(page, "reason", &escape::inline(reason, 400));
    }
    for (object, patch_set) in history.patch_sets() {
        page.gap();
        attempt(page, history, object, patch_set);
    }
    page.gap();
    told(page, "records", &escape::inline(&history.dir.to_string_lossy(), 500));
    unread(page, history.unread);
}

fn attempt(page: &mut Page, history: &History, object: &Object, patch_set: &PatchSet) {
    let (status, style) = match history.status(&object.object_id) {
        ApplyStatus::Proposed => ("proposed", YELLOW),
        ApplyStatus::Applied => ("applied", GREEN),
        ApplyStatus::Rejected => ("rejected", RED),
    };
    let title = page.paint(BOLD, &format!("patch {} of round {}", patch_set.sequence, patch_set.round));
    let by = escape::inline(&object.created_by.id, 60);
    let status = page.paint(style, status);
    page.line(&format!("{title}  {status}  {} by {by}", labels::format(patch_set.written_as)));
    page.inside(2, |page| {
        touched(page, &patch_set.touched);
        for fix in &patch_set.fixes {
            told(page, "fixed", &escape::inline(&fix.to_string(), 400));
        }
        for (_, evidence) in history.evidence(&object.object_id).filter(|(_, each)| each.verdict != "pass") {
            told(page, "guard", &verdict(page, evidence));
        }
        if let Some(reason) =
            history.decision(&object.object_id).and_then(|(_, decision)| decision.rationale.as_deref())
        {
            told(page, "reason", &escape::inline(reason, 400));
        }
        if let Some(rationale) = &patch_set.rationale {
            told(page, "said", &escape::inline(rationale, 400));
        }
        let files = history.artifacts(patch_set.round);
        let files = files.iter().map(|(path, _)| escape::inline(&path.to_string_lossy(), 100));
        told(page, "files", &files.collect::<Vec<_>>().join(" "));
        let gone = patch_set.artifact.as_ref().map(|artifact| history.artifact_state(artifact));
        if let Some(gone) = gone.filter(|state| *state != "kept") {
            let warning = page.paint(YELLOW, &format!("the recorded diff is {gone}"));
            told(page, "note", &warning);
        }
    });
}

fn verdict(page: &Page, evidence: &Evidence) -> String {
    let style = if evidence.stands_against() { RED } else { DIM };
    let word = page.paint(style, &escape::inline(&evidence.verdict, 24));
    let said = evidence.summary.as_deref().map(|said| format!(": {}", escape::inline(said, 300)));
    format!("{} {word}{}", escape::inline(&evidence.tool, 64), said.unwrap_or_default())
}

fn colour(run: &History) -> Style {
    match (run.state(), run.end().and_then(|end| end.outcome.as_ref())) {
        (State::Running, _) => CYAN,
        (State::Interrupted, _) | (State::Ended, None) => YELLOW,
        (State::Ended, Some(end)) if end.is_accepted() => GREEN,
        (State::Ended, Some(RecordedEnd::Known(RunEnd::Failed(Kind::Interrupted)))) => YELLOW,
        (State::Ended, Some(_)) => RED,
    }
}

/// As much of the id as tells it from the others that are listed.
fn unique(run: &History, all: &[History]) -> String {
    let others = all.iter().filter(|other| other.run != run.run);
    let shared = |other: &History| run.run.bytes().zip(other.run.bytes()).take_while(|(a, b)| a == b).count();
    let needed = others.map(shared).max().map_or(0, |shared| shared + 1);
    run.run.chars().take(needed.max(SHORTEST)).collect()
}

/// To the second, UTC.
fn when(created_at: &str) -> String {
    let text = escape::inline(created_at, 40);
    match (text.get(..10), text.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time}Z"),
        _ => text,
    }
}

fn unread(page: &mut Page, lines: usize) {
    if lines > 0 {
        let label = page.paint(YELLOW, "note");
        let lines = format_units::count(lines, "line");
        page.labelled(
            &label,
            &format!("{lines} of the records could not be read: torn by a kill, or of a newer host"),
            PLAIN,
        );
    }
}

fn told(page: &mut Page, label: &str, text: &str) {
    let label = page.paint(DIM, &format!("{label:10}"));
    page.line(&format!("  {label}{text}"));
}
