//! Each metric before and behind, the plan, what was left of the audit, and the votes.

use super::fix::fix_of;
use super::notes::notices;
use super::plan::{next, plan_of};
use super::review::{refinement, votes};
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED};
use guardhost_core::audit::Metric;
use guardhost_report::ImproveReport;

/// What continues it.
const COMMAND: &str = "host improve";

pub fn improve(page: &mut PageWriter, report: &ImproveReport) {
    if let Some(before) = &report.before {
        let after = |id: &str| report.after.as_ref().and_then(|after| after.audit.metric(id));
        let rows: Vec<_> = before.audit.metrics.iter().map(|metric| row(page, metric, after(&metric.id))).collect();
        table::table(page, &rows);
        page.gap();
    }
    match report.plan.steps.is_empty() {
        true => page.line(&page.paint(BOLD, "nothing to do")),
        false => plan_of(page, &report.plan, COMMAND, report.fixes.is_none() && report.votes.is_none()),
    }
    if let Some(fixes) = &report.fixes {
        page.gap();
        fix_of(page, fixes, COMMAND, false);
    }
    if let Some(refined) = &report.refined {
        page.gap();
        page.line(&refinement(page, refined));
    }
    if let Some(voted) = &report.votes {
        page.gap();
        votes(page, &voted.votes, &voted.approval);
    }
    if report.commit.is_some() && (report.fixes.is_some() || report.votes.is_some()) {
        next(page, &report.plan.branch);
    }
    if let Some(pull) = &report.pull {
        page.gap();
        super::pull::pull(page, pull);
    }
    if let Some(watch) = &report.watch {
        page.gap();
        super::watch::watch(page, watch);
    }
    notices(page, &report.notices);
}

fn row(page: &PageWriter, before: &Metric, after: Option<&Metric>) -> Vec<table::Cell> {
    let shown = |score: Option<u32>| score.map_or_else(|| "-".to_owned(), |score| format!("{:>3}", score / 10));
    let scores = (before.score(), after.and_then(Metric::score));
    let (style, sign) = match scores {
        (Some(before), Some(after)) if after > before => (GREEN, page.sign("↑", "+")),
        (Some(before), Some(after)) if after < before => (RED, page.sign("↓", "-")),
        _ => (DIM, " "),
    };
    vec![
        cell(style, sign),
        cell(BOLD, before.id.clone()),
        cell(PLAIN, shown(scores.0)),
        cell(style, if after.is_some() { shown(scores.1) } else { String::new() }),
    ]
}
