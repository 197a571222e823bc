//! How a pull request stands.

use super::notes::notices;
use super::watch::{builds, outcome};
use super::writer::{PageWriter, YELLOW};
use guardhost_report::{Mergeability, PullStanding, PullStatusReport, escape};

pub fn pull_status(page: &mut PageWriter, report: &PullStatusReport) {
    match &report.pull {
        Some(pull) => standing(page, report, pull),
        None => {
            let sign = page.paint(YELLOW, page.sign("- no pull request", "no pull request"));
            page.line(&format!("{sign}: {} has none that is open", escape::inline(&report.branch, 200)));
        }
    }
    notices(page, &report.notices);
}

fn standing(page: &mut PageWriter, report: &PullStatusReport, pull: &PullStanding) {
    match pull.outcome {
        Some(found) => outcome(page, found, pull.number),
        None => {
            let sign = page.paint(YELLOW, &format!("{} pull request {}", page.sign("-", "-"), pull.number));
            let said = if pull.builds.is_empty() { "no build began" } else { "its builds are at work" };
            page.line(&format!("{sign}: {said}"));
        }
    }
    builds(page, &pull.builds);
    page.field("title", &escape::inline(&pull.title, 200));
    page.field("page", &escape::inline(&pull.url, 300));
    let merge = match pull.merge {
        Mergeability::Unknown => "not known yet whether it can be merged",
        Mergeability::Clean => "can be merged",
        Mergeability::Conflicts => "conflicts",
        Mergeability::Blocked => "waits for checks, a review or its base",
    };
    let draft = if pull.draft { ", a draft" } else { "" };
    page.field("merge", &format!("into {}: {merge}{draft}", escape::inline(&pull.base, 100)));
    let findings = pull.findings;
    page.field("comments", &format!("{} open, {} resolved", findings.open, findings.resolved));
    if report.commit.is_none_or(|commit| commit.to_string() != pull.commit) {
        let there: String = pull.commit.chars().take(10).collect();
        page.field(
            "commit",
            &format!("{} at the forge, another here: `host pr open` brings it there", escape::inline(&there, 10)),
        );
    }
}
