//! What guards and critics found, the votes, and what they come to.

use super::check::check;
use super::comments::comments;
use super::findings::findings;
use super::notes::notices;
use super::table::{self, Cell, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use crate::format_units;
use guardhost_core::vote::{Approval, Ballot, Vote};
use guardhost_report::{CheckReport, Refined, Refinement, ReviewReport, StepDone, escape};

/// Characters of a reason.
const REASON: usize = 300;

pub fn review(page: &mut PageWriter, report: &ReviewReport) {
    check(page, &report.check);
    if !report.critics.evidence.is_empty() {
        page.gap();
        let by: Vec<&str> = report.critics.evidence.iter().map(|critic| critic.id.as_str()).collect();
        let advice = report.critics.evidence.iter().map(|critic| critic.verdict.findings().len()).sum::<usize>();
        // Whoever failed has not looked.
        let failed = report.critics.evidence.iter().filter(|critic| critic.verdict.code().is_some()).count();
        let what = match (advice, failed) {
            (0, 0) => "no objection".to_owned(),
            _ if report.is_unread() => "failed: no model has read the change".to_owned(),
            (0, 1) => "1 failed".to_owned(),
            (0, _) => format!("{failed} failed"),
            (1, _) => "1 piece of advice".to_owned(),
            (_, _) => format!("{advice} pieces of advice"),
        };
        page.line(&page.paint(BOLD, &format!("{}: {what}", escape::inline(&by.join(", "), 200))));
    }
    findings(
        page,
        &CheckReport {
            judgement: report.critics.enforced(),
            quotes: report.check.quotes.clone(),
            ..CheckReport::default()
        },
    );
    ballots(page, &report.votes);
    if let Some(refined) = &report.refined {
        page.gap();
        page.line(&refinement(page, refined));
    }
    if let Some(posted) = &report.posted {
        let done = match posted.review {
            StepDone::Made => "made",
            StepDone::Changed => "brought up to date",
            StepDone::Unchanged => "as it was",
        };
        page.gap();
        page.field("review", &format!("{done} at {}", escape::inline(&posted.url, 300)));
        comments(page, &posted.comments);
    }
    approval(page, &report.approval);
    notices(page, &report.notices);
}

/// Votes on a change, and what they come to.
pub fn votes(page: &mut PageWriter, votes: &[Vote], of: &Approval) {
    ballots(page, votes);
    approval(page, of);
}

fn ballots(page: &mut PageWriter, votes: &[Vote]) {
    if !votes.is_empty() {
        page.gap();
        let rows: Vec<_> = votes.iter().map(|vote| row(page, vote)).collect();
        table::table(page, &rows);
    }
    for vote in votes {
        let Ballot::Cast { reasons, .. } = &vote.ballot else { continue };
        for reason in reasons {
            let said = format!("{}:{}: {}", reason.path, reason.line, reason.says);
            page.labelled(&page.paint(DIM, &escape::inline(&vote.voter, 60)), &escape::inline(&said, REASON), PLAIN);
        }
    }
}

fn approval(page: &mut PageWriter, approval: &Approval) {
    page.gap();
    match approval {
        Approval::Approved { mean } => {
            page.line(&format!("{}: the votes have a mean of {mean:.1}", page.paint(GREEN, "approved")))
        }
        Approval::Refused { why } => {
            page.line(&format!("{}: {}", page.paint(RED, "not approved"), escape::inline(&why.text(), 600)));
        }
        Approval::NotAsked(why) => page.line(&page.paint(DIM, &format!("no votes: {}", escape::inline(why, 600)))),
    }
}

pub fn refinement(page: &PageWriter, refined: &Refined) -> String {
    let why = refined.why.as_ref().map(|why| format!(": {}", escape::inline(why, 600))).unwrap_or_default();
    let commit = refined.commit.map(|commit| commit.to_string()[..12].to_owned()).unwrap_or_default();
    match refined.outcome {
        Refinement::Kept => {
            let branch = escape::inline(refined.branch.as_deref().unwrap_or_default(), 200);
            format!("{}: host accept {branch} takes the new version, {commit}", page.paint(GREEN, "refined"))
        }
        Refinement::NotBetter | Refinement::Rejected | Refinement::NoChange | Refinement::NotTried => {
            format!("{}{why}", page.paint(YELLOW, "not refined"))
        }
    }
}

fn row(page: &PageWriter, vote: &Vote) -> Vec<Cell> {
    let (style, sign, score, said) = match &vote.ballot {
        Ballot::Cast { score, reasons, uncited } => {
            let uncited =
                if *uncited > 0 { format!(", {uncited} without a line that is there") } else { String::new() };
            (
                GREEN,
                page.sign("·", "*"),
                format!("{score:>3}"),
                format!("{}{uncited}", format_units::count(reasons.len(), "reason")),
            )
        }
        Ballot::Void(why) => (YELLOW, page.sign("-", "-"), "  -".to_owned(), escape::inline(why, REASON)),
    };
    vec![
        cell(style, sign),
        cell(BOLD, escape::inline(&vote.voter, 60)),
        cell(PLAIN, score),
        cell(DIM, escape::inline(&vote.by, 80)),
        cell(PLAIN, said),
    ]
}
