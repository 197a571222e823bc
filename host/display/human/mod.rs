//! Reports for people: quiet, aligned, with what to do next.

mod author;
mod check;
mod diff;
mod explain;
mod findings;
mod lists;
mod log;
mod page;
mod patch;
mod pins;
mod plan;
mod story;
mod table;

use super::Appearance;
use guardhost_report::{FailureReport, Report};
use page::{BOLD, CYAN, DIM, PLAIN, Page, RED};

/// Characters of a sentence that comes from outside.
const MAX_TEXT: usize = 2_000;

pub fn render(report: &Report, look: &Appearance) -> Vec<u8> {
    let mut page = Page::new(look);
    match report {
        Report::Check(report) => check::check(&mut page, report),
        Report::Apply(report) => check::apply(&mut page, report),
        Report::Run(report) => story::run(&mut page, report),
        Report::Plan(report) => plan::plan(&mut page, report),
        Report::Patch(report) => patch::patch(&mut page, report),
        Report::Log(runs) => log::runs(&mut page, runs),
        Report::LogRun(run) => log::run(&mut page, run),
        Report::Guards(rows) => lists::guards(&mut page, rows),
        Report::GuardInfo(report) => pins::info(&mut page, report),
        Report::Explain(report) => explain::explain(&mut page, report),
        Report::Pins(report) => pins::pins(&mut page, report),
        Report::Author(report) => author::author(&mut page, report),
        Report::Doctor(rows) => lists::doctor(&mut page, rows),
        Report::Failure(report) => failure(&mut page, report),
    }
    page.into_bytes()
}

fn failure(page: &mut Page, report: &FailureReport) {
    let label = page.paint(RED, "error");
    page.labelled(&label, &report.message, BOLD);
    page.inside(2, |page| {
        for cause in &report.causes {
            let label = page.paint(DIM, "cause");
            page.labelled(&label, cause, DIM);
        }
        if let Some(hint) = &report.hint {
            let label = page.paint(CYAN, "hint");
            page.labelled(&label, hint, PLAIN);
        }
    });
}
