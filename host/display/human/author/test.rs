//! The test cases that differ from the expectation, and the total.

use super::super::super::format_units;
use super::super::writer::{BOLD, GREEN, PageWriter, RED, YELLOW};
use guardhost_report::CaseResults;
use guardhost_report::escape;

pub fn case_results(page: &mut PageWriter, results: &CaseResults) {
    for case in &results.cases {
        let name = escape::inline(&case.name, 200);
        if !case.wrong.is_empty() {
            let sign = page.paint(RED, page.sign("✗", "fail"));
            page.line(&format!("{sign} {}", page.paint(BOLD, &name)));
            page.inside(3, |page| case.wrong.iter().for_each(|wrong| page.line(&escape::inline(wrong, 1_000))));
        } else if case.updated {
            page.line(&format!(
                "{} {name}: now expects {}",
                page.paint(YELLOW, page.sign("✎", "written")),
                case.verdict.as_str()
            ));
            page.inside(3, |page| case.changes.iter().for_each(|change| page.line(&escape::inline(change, 1_000))));
        }
    }
    let (all, failed) = (format_units::count(results.cases.len(), "case"), results.failed());
    let id = format!("{} {}", escape::inline(&results.id, 64), escape::inline(&results.version, 64));
    match failed {
        0 => page.line(&format!("{} {id}: {all} as expected", page.paint(GREEN, page.sign("✓", "ok")))),
        failed => page.line(&format!("{} {id}: {failed} of {all} not as expected", page.paint(RED, "failed"))),
    }
}
