//! A pull request: what was done at the forge, and where it is.

use super::check::check;
use super::comments::comments;
use super::notes::notices;
use super::review::review;
use super::writer::{GREEN, PageWriter, RED};
use guardhost_report::{OpenedPull, PullReport, PushDone, StepDone, escape};

pub fn pull(page: &mut PageWriter, report: &PullReport) {
    check(page, &report.check);
    page.gap();
    match &report.pull {
        Some(pull) => {
            if let Some(said) = &report.review {
                review(page, said);
                page.gap();
            }
            opened(page, report, pull);
        }
        None => {
            let sign = page.paint(RED, page.sign("✗ not opened", "not opened"));
            page.line(&format!("{sign}: the guards reject the change; nothing was pushed"));
        }
    }
    notices(page, &report.notices);
}

fn opened(page: &mut PageWriter, report: &PullReport, pull: &OpenedPull) {
    let done = match pull.action {
        StepDone::Made => "opened",
        StepDone::Changed => "brought up to date",
        StepDone::Unchanged => "as it was",
    };
    let sign = page.paint(GREEN, &format!("{} pull request {}", page.sign("✓", "ok:"), pull.number));
    page.line(&format!("{sign}: {done}, {}", escape::inline(&pull.url, 300)));
    let push = match pull.push {
        PushDone::Created => "created",
        PushDone::Updated => "updated",
        PushDone::UpToDate => "up to date",
    };
    let (branch, base) = (escape::inline(&report.branch, 200), escape::inline(&pull.base, 200));
    page.field("branch", &format!("{branch} into {base}: {push}"));
    comments(page, &pull.comments);
    if pull.sarif {
        page.field("sarif", "taken by the forge");
    }
}
