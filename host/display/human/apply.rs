//! The check, whether the patch was applied, and the touched files.

use super::super::labels;
use super::account::account;
use super::check::check;
use super::notes::notes;
use super::refusal::refusal;
use super::touched::touched;
use super::writer::{GREEN, PageWriter, RED};
use guardhost_report::ApplyReport;

pub fn apply(page: &mut PageWriter, apply: &ApplyReport) {
    // A check has notes of its own, with these among them.
    if apply.check.as_ref().is_none_or(|check| check.notes.is_empty()) {
        notes(page, &apply.notes);
    }
    if let Some(refused) = &apply.refusal {
        refusal(page, refused);
    }
    if let Some(checked) = &apply.check {
        check(page, checked);
    }
    page.gap();
    let how = apply.strategy.map(|strategy| format!(", placed {}", labels::strategy(strategy))).unwrap_or_default();
    match (apply.applied, apply.dry_run) {
        (true, false) => page.line(&format!("{}{how}", page.paint(GREEN, "applied"))),
        (true, true) => page.line(&format!("{}{how}; nothing was written", page.paint(GREEN, "would apply"))),
        (false, _) => page.line(&format!("{}; nothing was written", page.paint(RED, "not applied"))),
    }
    page.inside(2, |page| touched(page, &apply.touched));
    if !apply.explanation.is_empty() {
        page.gap();
        page.line("Every line of the reply, and what it was read as:");
        account(page, &apply.explanation);
    }
}
