//! A bar for each metric, what would earn the most, and one line of summary.

use anstyle::Style;
use guardhost_core::audit::{Measurement, Metric, Point, ScoreStatus, WHOLE};
use guardhost_report::{AuditReport, escape};

use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use crate::format_units::time;

/// Signs of a whole bar.
const BAR: u32 = 20;

/// Points that are shown of each metric, those that would earn the most first.
const SHOWN: usize = 4;

pub fn audit(page: &mut PageWriter, report: &AuditReport) {
    let rows: Vec<_> = report
        .audit
        .metrics
        .iter()
        .map(|metric| {
            let (style, sign) = look(page, metric);
            let score = metric.score().map_or_else(|| "  –".to_owned(), |score| format!("{:>3}", score / 10));
            let score = if page.look.unicode { score } else { score.replace('–', "-") };
            vec![
                cell(style, sign),
                cell(BOLD, metric.id.clone()),
                cell(style, score),
                cell(style, bar(page, metric.score().unwrap_or(0))),
                cell(DIM, format!("weight {}", f64::from(metric.weight) / f64::from(WHOLE))),
                cell(PLAIN, escape::inline(&measured(metric), 1_000)),
            ]
        })
        .collect();
    table::table(page, &rows);
    for metric in &report.audit.metrics {
        advice(page, metric);
    }
    page.gap();
    for notice in &report.notices {
        let label = page.paint(CYAN, "note");
        page.labelled(&label, notice, PLAIN);
    }
    let measured = report.audit.metrics.iter().filter(|metric| metric.score().is_some()).count();
    let all = report.audit.metrics.len();
    let overall = report
        .audit
        .overall()
        .map_or_else(|| "nothing was measured".to_owned(), |score| format!("overall {}", score / 10));
    let tree = &report.audit.tree.to_string()[..12];
    let line = format!(
        "{}: {measured} of {all} metrics measured of {} (tree {tree}) in {}",
        page.paint(BOLD, &overall),
        escape::inline(&report.revision, 100),
        time(report.micros, page.look.unicode)
    );
    page.line(&line);
}

fn look(page: &PageWriter, metric: &Metric) -> (Style, &'static str) {
    match (&metric.measurement, metric.status()) {
        (Measurement::Failed { .. }, _) => (RED, page.sign("✗", "error")),
        (_, ScoreStatus::Pass) => (GREEN, page.sign("✓", "pass")),
        (_, ScoreStatus::Warn) => (YELLOW, page.sign("!", "warn")),
        (_, ScoreStatus::Fail) => (RED, page.sign("✗", "fail")),
        (_, ScoreStatus::NotMeasured) => (DIM, page.sign("·", "none")),
    }
}

fn bar(page: &PageWriter, score: u32) -> String {
    let full = (score * BAR / WHOLE) as usize;
    let (on, off) = (page.sign("█", "#"), page.sign("░", "."));
    format!("{}{}", on.repeat(full), off.repeat(BAR as usize - full))
}

/// What a metric says in one line.
fn measured(metric: &Metric) -> String {
    match &metric.measurement {
        Measurement::Measured(points) => {
            let missed = points.iter().filter(|point| point.earned < point.possible).count();
            match missed {
                0 => String::new(),
                1 => "1 point is open".to_owned(),
                more => format!("{more} points are open"),
            }
        }
        Measurement::NotMeasured(why) => format!("not measured: {why}"),
        Measurement::Failed { code, message } => format!("{} failed [{code}]: {message}", metric.analyzer),
    }
}

fn advice(page: &mut PageWriter, metric: &Metric) {
    let Measurement::Measured(points) = &metric.measurement else { return };
    let is_open = |point: &&Point| point.earned < point.possible || (point.possible == 0 && !point.message.is_empty());
    let mut open: Vec<&Point> = points.iter().filter(is_open).collect();
    open.sort_by_key(|point| std::cmp::Reverse(point.possible - point.earned));
    if open.is_empty() {
        return;
    }
    page.gap();
    let heading = page.paint(BOLD, &metric.id);
    page.line(&heading);
    let more = open.len().saturating_sub(SHOWN);
    for point in open.into_iter().take(SHOWN) {
        let worth = (point.possible - point.earned).div_ceil(10);
        let label = match worth {
            0 => page.paint(DIM, "  -"),
            worth => page.paint(YELLOW, &format!("{:>3}", format!("+{worth}"))),
        };
        let place = match (&point.path, point.line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            (Some(path), None) => format!("{path}: "),
            (None, _) => String::new(),
        };
        let text = format!("{place}{}", point.message);
        page.inside(2, |page| {
            page.labelled(&label, &text, PLAIN);
            if !point.help.is_empty() {
                let help = page.paint(CYAN, "help");
                page.inside(4, |page| page.labelled(&help, &point.help, PLAIN));
            }
        });
    }
    if more > 0 {
        let line = page.paint(DIM, &format!("  and {more} more: --format json lists them all"));
        page.line(&line);
    }
}
