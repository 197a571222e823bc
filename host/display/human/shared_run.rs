//! One run of another machine, as far as the observer tells.

use anstyle::Style;

use guardhost_core::change::AttemptOutcome;
use guardhost_report::{SharedRun, SharedRunReport, escape};

use super::super::format_units::when;
use super::diff::diff;
use super::writer::{BOLD, GREEN, PageWriter, RED, YELLOW};

/// Touched files that are named.
const FILES: usize = 20;

pub fn details(page: &mut PageWriter, SharedRunReport { run, page: address, diff: committed }: &SharedRunReport) {
    page.line(&format!("{} {}", page.paint(BOLD, "run"), escape::inline(&run.run, 100)));
    page.field("machine", &machine(run));
    page.field("when", &when(&run.ended_at));
    let mut field = |label: &str, text: Option<&str>, most: usize| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            page.field(label, &escape::inline(text, most));
        }
    };
    field("command", Some(&run.agent), 64);
    if let Some(step) = &run.step {
        let of = run.plan.as_ref().map(|plan| format!(" of {plan}")).unwrap_or_default();
        field("plan", Some(&format!("step {step}{of}")), 160);
    }
    field("task", run.title.as_deref(), 400);
    field("provider", run.model.as_deref(), 200);
    page.field("ended", &page.paint(colour(run.ending), ending(run.ending)));
    let listed = |items: &[String]| {
        let more = if items.len() > FILES { format!(" and {} more", items.len() - FILES) } else { String::new() };
        format!("{}{more}", items.iter().take(FILES).cloned().collect::<Vec<_>>().join(", "))
    };
    let mut field = |label: &str, text: String| {
        if !text.is_empty() {
            page.field(label, &escape::inline(&text, 2_000));
        }
    };
    field("reason", listed(&run.failure_modes));
    field("files", listed(&run.touched));
    field("commit", run.commit.clone().unwrap_or_default());
    field("branch", run.branch.clone().unwrap_or_default());
    if let Some(text) = committed.as_ref().filter(|text| !text.is_empty()) {
        page.gap();
        diff(page, text);
    }
    page.gap();
    if let Some(address) = address {
        page.field("page", &escape::inline(address, 400));
    }
    let left = match (&run.commit, committed) {
        (Some(_), None) => "its records are on the machine that made it; fetch its branch to see the change",
        _ => "its records are on the machine that made it",
    };
    page.field("records", left);
}

pub(super) fn machine(run: &SharedRun) -> String {
    match run.machine.as_deref() {
        Some(machine) => escape::inline(machine, 40),
        None => "another".to_owned(),
    }
}

pub(super) fn ending(ending: AttemptOutcome) -> &'static str {
    match ending {
        AttemptOutcome::Success => "committed",
        AttemptOutcome::Fail => "rejected",
        AttemptOutcome::Partial => "partly committed",
        AttemptOutcome::Aborted => "no result",
        AttemptOutcome::Skipped => "skipped",
    }
}

pub(super) fn colour(ending: AttemptOutcome) -> Style {
    match ending {
        AttemptOutcome::Success => GREEN,
        AttemptOutcome::Fail => RED,
        AttemptOutcome::Partial | AttemptOutcome::Aborted | AttemptOutcome::Skipped => YELLOW,
    }
}
