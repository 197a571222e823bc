//! A line for each issue, the reviews, and where the fixes are.

use super::super::format_units;
use super::notes::notices;
use super::plan::next;
use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_core::issue::IssueStatus;
use guardhost_report::escape;
use guardhost_report::{FixReview, IssueReport, IssuesReport};

/// Characters of a reason.
const WHY: usize = 400;

pub fn fix(page: &mut PageWriter, report: &IssuesReport) {
    fix_of(page, report, "host fix", true);
}

/// `command` continues it. Whether its last commit is the result of the command.
pub fn fix_of(page: &mut PageWriter, report: &IssuesReport, command: &str, is_result: bool) {
    page.line(&format!("{} {}", page.paint(BOLD, "fix"), escape::inline(&report.run, 100)));
    page.gap();
    if report.issues.is_empty() {
        page.line("no issues");
    }
    let rows: Vec<_> = report.issues.iter().map(|issue| row(page, issue)).collect();
    for (line, issue) in table::lines(page, &rows).iter().zip(&report.issues) {
        page.row(line);
        if let Some(why) = &issue.why {
            page.line(&format!("    {}", page.paint(DIM, &escape::inline(why, WHY))));
        }
    }
    for batch in report.batches.iter().filter(|batch| batch.is_too_large) {
        let ids = batch.issues.join(", ");
        let what = format!(
            "{} is larger than a batch should be ({} points): split it",
            escape::inline(&ids, 100),
            batch.points
        );
        page.labelled(&page.paint(YELLOW, "note"), &what, PLAIN);
    }
    page.gap();
    report.reviews.iter().for_each(|review| shown(page, review));
    let done = report.issues.iter().filter(|issue| issue.status.is_done()).count();
    let of = format!("{done} of {}", format_units::count(report.issues.len(), "issue"));
    match report.commit {
        Some(commit) => {
            let sign = page.paint(GREEN, page.sign("✓ committed", "committed"));
            let branch = escape::inline(&report.branch, 200);
            page.line(&format!("{sign} on {branch}, now at {}: {of} done", &commit.to_string()[..12]));
            if is_result {
                next(page, &report.branch);
            }
        }
        None => page.line(&format!("nothing to accept: {of} done")),
    }
    notices(page, &report.notices);
    if report.ended_by.is_some() {
        let what = format!("{command} --resume {} continues where it stopped", report.run);
        page.labelled(&page.paint(CYAN, "hint"), &what, PLAIN);
    }
}

fn shown(page: &mut PageWriter, review: &FixReview) {
    let score = review.mean.map_or_else(|| "no score".to_owned(), |mean| format!("{mean:.1} of {}", review.threshold));
    let (style, word) = if review.is_approved { (GREEN, "approved") } else { (RED, "not approved") };
    let why = review.why.as_ref().map(|why| format!(": {}", escape::inline(why, WHY))).unwrap_or_default();
    page.line(&format!("review {}: {} ({score}){why}", review.attempt, page.paint(style, word)));
}

fn row(page: &PageWriter, issue: &IssueReport) -> Vec<table::Cell> {
    let (paint, sign) = match issue.status {
        IssueStatus::Resolved | IssueStatus::Merged => (GREEN, page.sign("✓", "ok")),
        IssueStatus::Failed => (RED, page.sign("✗", "no")),
        IssueStatus::Touched | IssueStatus::Open | IssueStatus::InProgress => (YELLOW, page.sign("?", "?")),
        IssueStatus::Ignored | IssueStatus::Duplicate => (DIM, page.sign("-", "-")),
    };
    let place = match (&issue.path, issue.line) {
        (Some(path), Some(line)) => format!("{path}:{line}"),
        (Some(path), None) => path.clone(),
        (None, _) => String::new(),
    };
    vec![
        cell(paint, sign),
        cell(BOLD, escape::inline(&issue.id, 64)),
        cell(paint, issue.status.as_str()),
        cell(DIM, escape::inline(&place, 80)),
        cell(PLAIN, escape::inline(&issue.title, 100)),
    ]
}
