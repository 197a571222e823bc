//! The error, its causes and the hint.

use super::writer::{BOLD, CYAN, DIM, PLAIN, PageWriter, RED};
use guardhost_report::FailureReport;

pub fn failure(page: &mut PageWriter, report: &FailureReport) {
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
