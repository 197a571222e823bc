//! The last attempt, whether the target was staged, and the kept files.

use super::super::{format_units, labels};
use super::check::check;
use super::notes::{notes, notices};
use super::touched::touched;
use super::writer::{BOLD, DIM, GREEN, PageWriter, RED};
use guardhost_core::change::RunOutcome;
use guardhost_report::PatchReport;
use guardhost_report::escape;

pub fn patch(page: &mut PageWriter, patch: &PatchReport) {
    notes(page, &patch.apply.notes);
    if let (Some(checked), Some(_)) = (&patch.apply.check, &patch.error) {
        check(page, checked);
    }
    page.gap();
    let target = page.paint(BOLD, &escape::inline(&patch.target.to_string(), 300));
    let tries = format_units::count(patch.rounds, "attempt");
    match (&patch.error, patch.outcome) {
        (Some(error), _) => {
            let label = page.paint(RED, &format!("error[{}]", error.code));
            page.labelled(&label, &error.message, BOLD);
            page.line(&format!("{target} stays as it is, after {tries}"));
        }
        (None, RunOutcome::Staged | RunOutcome::Committed) => {
            let how = patch.apply.strategy.map(|strategy| format!(", placed {}", labels::strategy(strategy)));
            let applied = page.paint(GREEN, page.sign("✓ applied", "applied"));
            page.line(&format!("{applied} and staged: {target}{}, after {tries}", how.unwrap_or_default()));
            page.inside(2, |page| touched(page, &patch.apply.touched));
        }
        (None, RunOutcome::NoChange | RunOutcome::Rejected | RunOutcome::OverBudget) => {
            let same = page.paint(GREEN, "No changes needed");
            page.line(&format!("{same}: {target} stays as it is"));
        }
    }
    notices(page, &patch.notices);
    for path in &patch.artifacts {
        let label = page.paint(DIM, "saved");
        page.line(&format!("  {label} {}", escape::inline(&path.to_string_lossy(), 500)));
    }
}
