//! The builds of a pull request, and what was done about failures.

use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::{BuildRow, BuildsOutcome, WatchReport, escape};

pub fn watch(page: &mut PageWriter, report: &WatchReport) {
    outcome(page, report.outcome, report.number);
    builds(page, &report.builds);
    page.field("page", &escape::inline(&report.url, 300));
    if report.reran {
        page.field("again", "the failed jobs were started again");
    }
    for fix in &report.fixes {
        let commit = fix.commit.map(|commit| format!(", commit {}", &commit.to_string()[..10])).unwrap_or_default();
        page.field("change", &format!("{} in the run {}{commit}", fix.outcome.as_str(), escape::inline(&fix.run, 64)));
    }
    if let Some(why) = &report.stopped {
        page.field("stopped", &escape::inline(why, 400));
    }
    notices(page, &report.notices);
}

/// What all builds of a pull request came to, on one line.
pub fn outcome(page: &mut PageWriter, outcome: BuildsOutcome, number: u64) {
    let (style, sign, said) = match outcome {
        BuildsOutcome::Success => (GREEN, page.sign("✓", "ok:"), "the builds succeeded"),
        BuildsOutcome::Failure => (RED, page.sign("✗", "failed:"), "a build failed"),
        BuildsOutcome::Timeout => (RED, page.sign("✗", "failed:"), "the builds did not end in time"),
        BuildsOutcome::NoRuns => (YELLOW, page.sign("-", "-"), "no build began"),
        BuildsOutcome::ActionRequired => (YELLOW, page.sign("-", "-"), "a build waits for a person to allow it"),
        BuildsOutcome::Skipped => (YELLOW, page.sign("-", "-"), "all builds were skipped"),
        BuildsOutcome::Superseded => (YELLOW, page.sign("-", "-"), "the branch has another commit now"),
        BuildsOutcome::Closed => (YELLOW, page.sign("-", "-"), "the pull request is closed"),
    };
    page.line(&format!("{}: {said}", page.paint(style, &format!("{sign} pull request {number}"))));
}

pub fn builds(page: &mut PageWriter, builds: &[BuildRow]) {
    let rows = builds.iter().map(|build| {
        vec![
            cell(BOLD, escape::inline(&build.name, 100)),
            cell(PLAIN, build.conclusion.unwrap_or("at work").to_owned()),
            cell(DIM, escape::inline(&build.url, 200)),
        ]
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        table::table(page, &rows);
    }
}
