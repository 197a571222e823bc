//! `host guard list` and `host doctor`.

use guardhost_core::change::Mode;

use super::super::format_units;
use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED, YELLOW};
use super::table::{self, cell};
use guardhost_report::escape;
use guardhost_report::{DoctorRow, GuardRow, Health};

pub fn guards(page: &mut Page, guards: &[GuardRow]) {
    if guards.is_empty() {
        page.line("no guards");
        return;
    }
    let row = |guard: &GuardRow| {
        let mode = if guard.mode == Mode::Monitor { cell(YELLOW, "monitor") } else { cell(GREEN, "enforce") };
        let needs = guard.imports.iter().map(|import| {
            let granted = guard.grants.contains(import);
            format!("{}{}", escape::inline(import, 40), if granted { "" } else { " (not granted)" })
        });
        vec![
            cell(DIM, escape::inline(&guard.mark, 12)),
            cell(BOLD, escape::inline(&guard.id, 64)),
            cell(PLAIN, escape::inline(&guard.version, 32)),
            mode,
            cell(DIM, escape::inline(&guard.source, 120)),
            cell(DIM, format!("{:>9}", format_units::size(guard.size))),
            cell(PLAIN, needs.collect::<Vec<_>>().join(", ")),
        ]
    };
    let rows: Vec<_> = guards.iter().map(row).collect();
    for (line, guard) in table::rows(page, &rows).iter().zip(guards) {
        page.line(line);
        if !guard.promise.is_empty() {
            page.line(&format!("     {}", page.paint(DIM, &escape::inline(&guard.promise, 400))));
        }
    }
}

pub fn doctor(page: &mut Page, checks: &[DoctorRow]) {
    let row = |check: &DoctorRow| {
        let sign = match check.ok {
            Health::Pass => cell(GREEN, page.sign("✓", "ok")),
            Health::Warn => cell(YELLOW, page.sign("!", "warn")),
            Health::Fail => cell(RED, page.sign("✗", "fail")),
        };
        vec![sign, cell(BOLD, escape::inline(&check.name, 60)), cell(PLAIN, escape::inline(&check.detail, 1_000))]
    };
    let rows: Vec<_> = checks.iter().map(row).collect();
    for (line, check) in table::rows(page, &rows).iter().zip(checks) {
        page.line(line);
        if let Some(hint) = &check.hint {
            let label = page.paint(CYAN, "hint");
            page.inside(3, |page| page.labelled(&label, hint, PLAIN));
        }
    }
}
