//! The measurements of each test case, and the difference from an older component.

use super::super::super::format_units;
use super::super::table::{self, cell};
use super::super::writer::{BOLD, DIM, PLAIN, PageWriter};
use guardhost_report::escape;
use guardhost_report::{BenchFigures, BenchResult};

pub fn bench_result(page: &mut PageWriter, result: &BenchResult) {
    let time = |micros| format_units::time(micros, page.look.unicode);
    let row = |name: &str, verdict: &str, fuel: u64, micros: u64, memory: u64| {
        vec![
            cell(PLAIN, escape::inline(name, 80)),
            cell(DIM, verdict),
            cell(PLAIN, format!("{:>15} fuel", format_units::number(fuel))),
            cell(PLAIN, format!("{:>9}", time(micros))),
            cell(PLAIN, format!("{:>9}", format_units::size(memory))),
        ]
    };
    let all = |name: &str, of: &BenchFigures| row(name, "", of.fuel(), of.micros(), of.memory());
    let now = &result.now;
    let mut rows: Vec<_> = now
        .cases
        .iter()
        .map(|case| row(&case.name, case.verdict.as_str(), case.fuel, case.micros, case.memory))
        .collect();
    rows.push(all("all", now));
    rows.extend(result.before.as_ref().map(|before| all(&format!("all, {} before", before.version), before)));
    table::table(page, &rows);
    let id = page.paint(BOLD, &escape::inline(&result.id, 64));
    page.line(&format!("{id} {}: {}", escape::inline(&now.version, 64), format_units::size(now.size)));
    if let Some(before) = &result.before {
        let change = |now: u64, before: u64| match before {
            0 => "new".to_owned(),
            before => format!("{:+.1} %", (now as f64 / before as f64 - 1.0) * 100.0),
        };
        page.inside(2, |page| {
            page.line(&format!(
                "compared with {}: fuel {}, time {}, memory {}, size {}",
                escape::inline(&before.version, 64),
                change(now.fuel(), before.fuel()),
                change(now.micros(), before.micros()),
                change(now.memory(), before.memory()),
                change(now.size, before.size)
            ));
        });
    }
}
