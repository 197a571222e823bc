//! One line for each check of the environment.

use super::table::{self, cell};
use super::writer::{BOLD, CYAN, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{DoctorRow, Health};

pub fn doctor(page: &mut PageWriter, checks: &[DoctorRow]) {
    let row = |check: &DoctorRow| {
        let sign = match check.ok {
            Health::Pass => cell(GREEN, page.sign("✓", "ok")),
            Health::Warn => cell(YELLOW, page.sign("!", "warn")),
            Health::Fail => cell(RED, page.sign("✗", "fail")),
        };
        vec![sign, cell(BOLD, escape::inline(&check.name, 60)), cell(PLAIN, escape::inline(&check.detail, 1_000))]
    };
    let rows: Vec<_> = checks.iter().map(row).collect();
    for (line, check) in table::lines(page, &rows).iter().zip(checks) {
        page.row(line);
        if let Some(hint) = &check.hint {
            let label = page.paint(CYAN, "hint");
            page.inside(3, |page| page.labelled(&label, hint, PLAIN));
        }
    }
}
