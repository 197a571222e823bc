//! The list of recorded runs, or one run in full.

use anstyle::Style;

use guardhost_core::change::{RecordedEnd, RunEnd};
use guardhost_core::error::Kind;
use guardhost_report::journal::{ApplyStatus, ArtifactState, Evidence, History, Object, PatchSet, State};

use super::super::{format_units, labels};
use super::table::{self, cell};
use super::touched::touched;
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::VerdictKind;
use guardhost_report::escape;

/// Minimum characters of an id: the time to the millisecond.
const MIN_ID: usize = 13;

pub fn runs(page: &mut PageWriter, runs: &[History]) {
    if runs.is_empty() {
        page.line("no runs are recorded here");
    }
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let commit = run.end().and_then(|end| end.result_commit_sha.as_deref()).unwrap_or_default();
            let (when, command, task) = match run.run() {
                Some((object, run)) => (when(&object.created_at), run.command.as_str(), run.task.as_str()),
                None => (String::new(), "", "(killed before its first record)"),
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

pub fn run(page: &mut PageWriter, history: &History) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&history.run, 100)));
    if let Some((object, run)) = history.run() {
        page.field("when", &when(&object.created_at));
        page.field("command", &escape::inline(&run.command, 40));
        page.field("task", &escape::inline(&run.task, 400));
        page.field("provider", &escape::inline(&run.provider, 200));
        page.field("base", run.commit.as_deref().unwrap_or("no commit yet"));
    }
    let ending = page.paint(colour(history), &escape::inline(&labels::ending(history), 24));
    let end = history.end();
    let time =
        end.map(|end| format!(" after {}", format_units::time(end.micros, page.look.unicode))).unwrap_or_default();
    page.field("ended", &format!("{ending}{time}, {}", format_units::count(history.rounds() as usize, "round")));
    if let Some(commit) = end.and_then(|end| end.result_commit_sha.as_deref()) {
        page.field("commit", &escape::inline(commit, 64));
    }
    if let Some(spent) = end.map(|end| labels::usage(&end.spent)).filter(|spent| !spent.is_empty()) {
        page.field("spent", &spent);
    }
    if let Some(reason) = end.and_then(|end| end.rationale.as_deref()) {
        page.field("reason", &escape::inline(reason, 400));
    }
    for (object, patch_set) in history.patch_sets() {
        page.gap();
        attempt(page, history, object, patch_set);
    }
    page.gap();
    page.field("records", &escape::inline(&history.dir.to_string_lossy(), 500));
    unread(page, history.unread);
}

fn attempt(page: &mut PageWriter, history: &History, object: &Object, patch_set: &PatchSet) {
    let (status, style) = match history.status(&object.object_id) {
        ApplyStatus::Proposed => ("proposed", YELLOW),
        ApplyStatus::Applied => ("applied", GREEN),
        ApplyStatus::Rejected => ("rejected", RED),
    };
    let title = page.paint(BOLD, &format!("patch {} of round {}", patch_set.sequence, patch_set.round));
    let by = escape::inline(&object.created_by.id, 60);
    let status = page.paint(style, status);
    page.line(&format!("{title}  {status}  {} by {by}", patch_set.written_as.label()));
    page.inside(2, |page| {
        touched(page, &patch_set.touched);
        for fix in &patch_set.fixes {
            page.field("fixed", &escape::inline(&fix.to_string(), 400));
        }
        for (_, evidence) in history.evidence(&object.object_id).filter(|(_, each)| each.verdict != VerdictKind::Pass) {
            page.field("guard", &verdict(page, evidence));
        }
        if let Some(reason) =
            history.decision(&object.object_id).and_then(|(_, decision)| decision.rationale.as_deref())
        {
            page.field("reason", &escape::inline(reason, 400));
        }
        if let Some(rationale) = &patch_set.rationale {
            page.field("rationale", &escape::inline(rationale, 400));
        }
        let files = history.artifacts(patch_set.round);
        if !files.is_empty() {
            let files = files.iter().map(|(path, _)| escape::inline(&path.to_string_lossy(), 100));
            page.field("files", &files.collect::<Vec<_>>().join(" "));
        }
        let state = patch_set.artifact.as_ref().map(|artifact| history.artifact_state(artifact));
        let warning = match state {
            None | Some(ArtifactState::Kept) => return,
            Some(ArtifactState::Missing) => "the recorded diff is missing",
            Some(ArtifactState::Changed) => "the recorded diff was changed",
        };
        page.field("note", &page.paint(YELLOW, warning));
    });
}

fn verdict(page: &PageWriter, evidence: &Evidence) -> String {
    let style = if evidence.is_blocking() { RED } else { DIM };
    let word = page.paint(style, evidence.verdict.word());
    let summary = evidence.summary.as_deref().map(|text| format!(": {}", escape::inline(text, 300)));
    format!("{} {word}{}", escape::inline(&evidence.tool, 64), summary.unwrap_or_default())
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

/// The shortest beginning of the id that no other listed run has.
fn unique(run: &History, all: &[History]) -> String {
    let others = all.iter().filter(|other| other.run != run.run);
    let shared = |other: &History| run.run.bytes().zip(other.run.bytes()).take_while(|(a, b)| a == b).count();
    let needed = others.map(shared).max().map_or(0, |shared| shared + 1);
    run.run.chars().take(needed.max(MIN_ID)).collect()
}

/// UTC, without fractions of a second.
fn when(created_at: &str) -> String {
    let text = escape::inline(created_at, 40);
    match (text.get(..10), text.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time}Z"),
        _ => text,
    }
}

fn unread(page: &mut PageWriter, lines: usize) {
    if lines > 0 {
        let label = page.paint(YELLOW, "note");
        let lines = format_units::count(lines, "line");
        page.labelled(
            &label,
            &format!("{lines} of the records could not be read: the run was killed, or a newer version wrote them"),
            PLAIN,
        );
    }
}
