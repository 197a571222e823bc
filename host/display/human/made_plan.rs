//! The steps of a plan, those that were dropped with the reason, and how it is run.

use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use crate::format_units;
use guardhost_core::change::{LayerReport, PlanEdit, RepoPath};
use guardhost_report::{MadePlanReport, PlanStepReport, escape};

pub fn made_plan(page: &mut PageWriter, report: &MadePlanReport) {
    let rows: Vec<_> = report.steps.iter().map(|step| row(page, step)).collect();
    for (line, step) in table::lines(page, &rows).iter().zip(&report.steps) {
        page.row(line);
        let hints = step.hints.join(", ");
        let below = step.dropped.as_deref().unwrap_or(&hints);
        if !below.is_empty() {
            page.line(&format!("    {}", page.paint(DIM, &escape::inline(below, 600))));
        }
    }
    layers(page, &report.plan.layers);
    page.gap();
    let left = report.steps.iter().filter(|step| step.dropped.is_none()).count();
    let model = report.model.as_ref().map(|model| format!(", {model}")).unwrap_or_default();
    let by = escape::inline(&format!("{}{model}", report.provider), 200);
    match left {
        0 => page
            .line(&format!("{}: the layers and guards dropped every step ({by})", page.paint(BOLD, "nothing to do"))),
        _ => {
            let of = format_units::count(left, "step");
            page.line(&format!("{} of {} ({by})", page.paint(BOLD, &of), report.steps.len()));
            let next = "host plan … --format json --output plan.json, then host run --plan plan.json";
            page.command("next", next);
        }
    }
    notices(page, &report.notices);
}

/// What the layers did beside dropping steps, which is shown at the steps.
pub fn layers(page: &mut PageWriter, layers: &[LayerReport]) {
    let paths = |paths: &[RepoPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    for report in layers {
        for edit in &report.edits {
            let text = match edit {
                PlanEdit::Drop { .. } => continue,
                PlanEdit::RewriteHints { step, before, after, reason } => {
                    format!("{step}: {} instead of {}: {reason}", paths(after), paths(before))
                }
                PlanEdit::Insert { step, reason } => format!("{step} was added: {reason}"),
            };
            let label = page.paint(CYAN, &escape::inline(report.name(), 64));
            page.labelled(&label, &escape::inline(&text, 600), PLAIN);
        }
    }
}

fn row(page: &PageWriter, step: &PlanStepReport) -> Vec<table::Cell> {
    let (paint, sign) = match step.dropped {
        Some(_) => (YELLOW, page.sign("-", "-")),
        None => (GREEN, page.sign("·", "*")),
    };
    vec![
        cell(paint, sign),
        cell(BOLD, escape::inline(&step.id, 64)),
        cell(paint, if step.dropped.is_some() { "dropped" } else { step.action }),
        cell(PLAIN, escape::inline(&step.title, 120)),
    ]
}
