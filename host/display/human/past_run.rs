//! One recorded run in full: its rounds, its result, and what became of that.

mod part;

use guardhost_core::change::Oid;
use guardhost_report::journal::{ApplyStatus, ArtifactState, History, Object, PatchSet, StoredEvidence};
use guardhost_report::{ResultDiff, RunDetails, TakenAction, TakenReport, VerdictKind, escape};

use super::super::{format_units, labels};
use super::account::account;
use super::check::check;
use super::diff::diff;
use super::log::{colour, unread};
use super::touched::touched;
use super::writer::{BOLD, CYAN, DIM, GREEN, PageWriter, RED, YELLOW};
use crate::format_units::when;

pub fn details(
    page: &mut PageWriter,
    RunDetails { history, steps, diff: committed, part, replies, traces: _ }: &RunDetails,
) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&history.run, 100)));
    if let Some((object, run)) = history.run() {
        page.field("when", &when(&object.created_at));
        page.field("command", &escape::inline(run.command.as_str(), 40));
        if let Some((plan, step)) = history.step_of() {
            page.field("plan", &format!("step {} of {}", escape::inline(step, 64), escape::inline(plan, 64)));
        }
        if let Some(resumed) = &run.origin.resumes {
            page.field("resumes", &escape::inline(resumed, 64));
        }
        page.field("task", &escape::inline(&run.task, 400));
        // The steps of a plan have one, not the plan.
        if !run.provider.is_empty() {
            page.field("provider", &escape::inline(&run.provider, 200));
        }
        page.field("base", run.commit.as_deref().unwrap_or("no commit yet"));
    }
    ended(page, history);
    if let (Some(commit), Some(branch)) = (history.commit(), history.branch()) {
        page.field("commit", &escape::inline(commit, 64));
        page.field("branch", &escape::inline(&branch, 200));
    }
    for round in 1..=history.rounds() {
        page.gap();
        self::round(page, history, round);
    }
    for reply in replies {
        page.gap();
        page.line(&format!("Every line of the reply of round {}, and what it was read as:", reply.round));
        account(page, &reply.lines);
    }
    if !steps.is_empty() {
        page.gap();
        super::log::runs(page, steps);
    }
    if let Some(text) = committed.as_ref().filter(|text| !text.is_empty()) {
        page.gap();
        diff(page, text);
    }
    if let Some(part) = part {
        page.gap();
        self::part::part(page, part);
    }
    page.gap();
    page.field("records", &escape::inline(&history.dir.to_string_lossy(), 500));
    if history.commit().is_some() && history.branch().is_some() {
        let id = escape::inline(&history.run, 64);
        page.command("next", &format!("host accept {id}, or host discard {id}"));
    } else if part.is_some() {
        let id = escape::inline(&history.run, 64);
        page.command("next", &format!("host accept {id} --part stages the part, or host discard {id}"));
    }
    unread(page, history.unread);
}

fn ended(page: &mut PageWriter, history: &History) {
    let listed = history.listed();
    let ending = page.paint(colour(&listed), &escape::inline(&labels::ending(&listed), 24));
    let end = history.end();
    let time =
        end.map(|end| format!(" after {}", format_units::time(end.micros, page.look.unicode))).unwrap_or_default();
    let rounds = labels::rounds(&listed).map(|rounds| format!(", {rounds}")).unwrap_or_default();
    page.field("ended", &format!("{ending}{time}{rounds}"));
    if let Some(spent) = end.map(|end| labels::usage(&end.spent)).filter(|spent| !spent.is_empty()) {
        page.field("spent", &spent);
    }
    if let Some(reason) = end.and_then(|end| end.rationale.as_deref()) {
        page.field("reason", &escape::inline(reason, 400));
    }
}

/// Every round has its lines, also one whose reply held no patch.
fn round(page: &mut PageWriter, history: &History, round: u32) {
    let mut is_patched = false;
    for (object, patch_set) in history.patch_sets().filter(|(_, patch_set)| patch_set.round == round) {
        is_patched = true;
        attempt(page, history, object, patch_set);
    }
    if is_patched {
        return;
    }
    page.line(&format!("{}  no patch", page.paint(BOLD, &format!("round {round}"))));
    page.inside(2, |page| {
        if let Some(reason) = history.rationale(round) {
            page.field("reason", &escape::inline(reason, 400));
        }
        files(page, history, round);
    });
}

fn attempt(page: &mut PageWriter, history: &History, object: &Object, patch_set: &PatchSet) {
    let (status, style) = match history.status(&object.object_id) {
        ApplyStatus::Proposed => ("proposed", YELLOW),
        ApplyStatus::Applied => ("applied", GREEN),
        ApplyStatus::Rejected => ("rejected", RED),
    };
    let title = page.paint(BOLD, &format!("round {}, patch {}", patch_set.round, patch_set.sequence + 1));
    let by = escape::inline(&object.created_by.id, 60);
    let status = page.paint(style, status);
    page.line(&format!("{title}  {status}  {} by {by}", patch_set.written_as.label()));
    page.inside(2, |page| {
        touched(page, &patch_set.touched);
        for fix in &patch_set.fixes {
            page.field("fixed", &escape::inline(&fix.to_string(), 400));
        }
        verdicts(page, history, &object.object_id);
        if let Some(reason) =
            history.decision(&object.object_id).and_then(|(_, decision)| decision.rationale.as_deref())
        {
            page.field("reason", &escape::inline(reason, 400));
        }
        if let Some(rationale) = &patch_set.rationale {
            page.field("rationale", &escape::inline(rationale, 400));
        }
        files(page, history, patch_set.round);
        let state = patch_set.artifact.as_ref().map(|artifact| history.artifact_state(artifact));
        let warning = match state {
            None | Some(ArtifactState::Kept) => return,
            Some(ArtifactState::Missing) => "the recorded diff is missing",
            Some(ArtifactState::Changed) => "the recorded diff was changed",
        };
        page.field("note", &page.paint(YELLOW, warning));
    });
}

/// The guards that passed on one line, a line for each that did not, and none for those that had nothing to judge.
fn verdicts(page: &mut PageWriter, history: &History, patch_set: &str) {
    let of = |wanted: fn(VerdictKind) -> bool| {
        history.evidence(patch_set).map(|(_, evidence)| evidence).filter(move |evidence| wanted(evidence.verdict))
    };
    let passed: Vec<_> =
        of(|verdict| verdict == VerdictKind::Pass).map(|evidence| escape::inline(&evidence.tool, 64)).collect();
    if !passed.is_empty() {
        page.field("passed", &passed.join(", "));
    }
    for evidence in of(|verdict| !matches!(verdict, VerdictKind::Pass | VerdictKind::NotApplicable)) {
        page.field("guard", &verdict(page, evidence));
    }
}

fn verdict(page: &PageWriter, evidence: &StoredEvidence) -> String {
    let style = if evidence.is_blocking() { RED } else { DIM };
    let word = page.paint(style, evidence.verdict.as_str());
    let summary = evidence.summary.as_deref().map(|text| format!(": {}", escape::inline(text, 300)));
    format!("{} {word}{}", escape::inline(&evidence.tool, 64), summary.unwrap_or_default())
}

fn files(page: &mut PageWriter, history: &History, round: u32) {
    let files = history.artifacts(round);
    if !files.is_empty() {
        let files = files.iter().map(|(path, _)| escape::inline(&path.to_string_lossy(), 100));
        page.field("files", &files.collect::<Vec<_>>().join(" "));
    }
}

pub fn result_diff(page: &mut PageWriter, report: &ResultDiff) {
    diff(page, &report.diff);
    if let (Some(base), Some(commit)) = (report.base, report.commit) {
        page.gap();
        let command = format!("git diff {} {}", short(Some(base)), short(Some(commit)));
        page.command("bytes", &command);
    }
}

pub fn taken(page: &mut PageWriter, report: &TakenReport) {
    if let Some(checked) = &report.check {
        check(page, checked);
        page.gap();
    }
    let run = escape::inline(&report.run, 64);
    let onto = report.onto.as_deref().map_or("HEAD (detached)".to_owned(), |branch| escape::inline(branch, 200));
    let (head, commit) = (short(report.head), short(report.commit));
    let line = match report.action {
        TakenAction::FastForwarded => {
            format!("{}: {onto} is now at {head}", page.paint(GREEN, page.sign("✓ accepted", "accepted")))
        }
        TakenAction::Merged => {
            let sign = page.paint(GREEN, page.sign("✓ merged", "merged"));
            format!("{sign} {commit}: {onto} is now at {head}, and the guards accept the result")
        }
        TakenAction::AlreadyAccepted => format!("{onto} holds {commit} already; nothing was changed"),
        TakenAction::Staged => {
            let sign = page.paint(GREEN, page.sign("✓ staged", "staged"));
            format!(
                "{sign}: the guards accept the part, it is in the index and the work tree, and nothing was committed"
            )
        }
        TakenAction::Rejected => {
            let sign = page.paint(RED, page.sign("✗ not taken", "not taken"));
            format!("{sign}: the guards reject the result on what {onto} is now; nothing was changed")
        }
        TakenAction::Discarded if !report.branch_deleted && report.attempts_deleted == 0 => {
            format!("the run {run} has no branch and no rejected attempts any more; nothing was deleted")
        }
        TakenAction::Discarded => format!("discarded the result of the run {run}"),
    };
    page.line(&line);
    if !report.task.is_empty() {
        page.field("task", &escape::inline(&report.task, 400));
    }
    if let (Some(branch), true) = (&report.branch, report.branch_deleted) {
        page.field("deleted", &format!("the branch {}", escape::inline(branch, 200)));
    }
    if report.attempts_deleted > 0 {
        page.field("deleted", &format_units::count(report.attempts_deleted, "rejected attempt"));
    }
    match report.action {
        TakenAction::Discarded => {
            if let (Some(branch), Some(commit), true) = (&report.branch, report.commit, report.branch_deleted) {
                let command = format!("git branch {} {commit}", escape::inline(branch, 200));
                page.command("undo", &command);
            }
        }
        TakenAction::Rejected => {
            page.field(
                "next",
                &page.paint(CYAN, "run the task again on what HEAD is now, or merge and fix it yourself"),
            );
        }
        TakenAction::Staged => page.command("next", "git diff --staged, and git commit"),
        TakenAction::FastForwarded | TakenAction::Merged | TakenAction::AlreadyAccepted => {}
    }
}

fn short(oid: Option<Oid>) -> String {
    oid.map_or_else(|| "no commit".to_owned(), |oid| oid.to_string().chars().take(10).collect())
}
