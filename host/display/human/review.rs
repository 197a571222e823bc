//! What guards and critics found, the votes, and what they come to.

use super::check::check;
use super::findings::findings;
use super::notes::notices;
use super::table::{self, Cell, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_core::vote::{Approval, Ballot, Vote};
use guardhost_report::{CheckReport, ReviewReport, escape};

/// Characters of a reason.
const REASON: usize = 300;

pub fn review(page: &mut PageWriter, report: &ReviewReport) {
    check(page, &report.check);
    // Critics advise: their findings look like those of monitored guards.
    findings(
        page,
        &CheckReport {
            judgement: report.critics.clone(),
            quotes: report.check.quotes.clone(),
            ..CheckReport::default()
        },
    );
    if !report.votes.is_empty() {
        page.gap();
        let rows: Vec<_> = report.votes.iter().map(|vote| row(page, vote)).collect();
        table::table(page, &rows);
    }
    for vote in &report.votes {
        let Ballot::Cast { reasons, .. } = &vote.ballot else { continue };
        for reason in reasons {
            let said = format!("{}:{}: {}", reason.path, reason.line, reason.says);
            page.labelled(&page.paint(DIM, &escape::inline(&vote.voter, 60)), &escape::inline(&said, REASON), PLAIN);
        }
    }
    page.gap();
    match &report.approval {
        Approval::Approved { mean } => {
            page.line(&format!("{}: the votes have a mean of {mean:.1}", page.paint(GREEN, "approved")))
        }
        Approval::Refused { why } => {
            page.line(&format!("{}: {}", page.paint(RED, "not approved"), escape::inline(&why.text(), 600)));
        }
        Approval::NotAsked(why) => page.line(&page.paint(DIM, &format!("no votes: {}", escape::inline(why, 600)))),
    }
    notices(page, &report.notices);
}

fn row(page: &PageWriter, vote: &Vote) -> Vec<Cell> {
    let (style, sign, score, said) = match &vote.ballot {
        Ballot::Cast { score, reasons, uncited } => {
            let uncited =
                if *uncited > 0 { format!(", {uncited} without a line that is there") } else { String::new() };
            (GREEN, page.sign("·", "*"), format!("{score:>3}"), format!("{} reasons{uncited}", reasons.len()))
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
