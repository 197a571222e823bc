//! Open pull requests in the order in which they would be merged, and those that do not go together.

use guardhost_core::change::Judgement;

use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED};
use crate::format_units::count;
use guardhost_report::{PullBreak, QueuePlace, QueueReport, QueuedPull, escape};

/// Findings of one break that are shown; the JSON has all.
const SHOWN: usize = 3;

pub fn queue(page: &mut PageWriter, report: &QueueReport) {
    let rows: Vec<_> = report.pulls.iter().map(|pull| row(page, pull)).collect();
    table::table(page, &rows);
    for found in &report.breaks {
        page.gap();
        broken(page, found);
    }
    page.gap();
    let fits = report.pulls.iter().filter(|pull| matches!(pull.place, QueuePlace::Fits { .. })).count();
    let (style, sign) = match report.all_fit() {
        true => (GREEN, page.sign("✓", "ok:")),
        false => (RED, page.sign("✗", "no:")),
    };
    let base = escape::inline(&report.base, 100);
    let sign = page.paint(style, &format!("{sign} {fits} of {}", count(report.pulls.len(), "pull request")));
    page.line(&format!("{sign} can be merged into {base}, one after the other"));
    notices(page, &report.notices);
}

fn row(page: &PageWriter, pull: &QueuedPull) -> Vec<table::Cell> {
    let (style, said) = match &pull.place {
        QueuePlace::Fits { .. } => (GREEN, page.sign("✓ fits", "fits").to_owned()),
        QueuePlace::Nothing => (DIM, "is in the base already".to_owned()),
        QueuePlace::Conflicts(paths) => (RED, format!("conflicts with the base in {}", listed(paths))),
        QueuePlace::Rejected(judgement) => (RED, format!("rejected by {}", judgement.against().join(", "))),
        QueuePlace::Breaks => (RED, "fits alone, and not with others".to_owned()),
    };
    let draft = if pull.draft { " (draft)" } else { "" };
    vec![
        cell(BOLD, format!("{:>6}", format!("#{}", pull.number))),
        cell(PLAIN, format!("{}{draft}", escape::inline(&pull.title, 60))),
        cell(style, escape::inline(&said, 200)),
    ]
}

fn broken(page: &mut PageWriter, found: &PullBreak) {
    let numbers: Vec<String> = found.pulls.iter().map(|number| format!("#{number}")).collect();
    let head = page.paint(RED, &numbers.join(" and "));
    match &found.judgement {
        None => {
            page.line(&format!("{head} change the same lines of {}", escape::inline(&listed(&found.conflicts), 300)))
        }
        Some(judgement) => {
            page.line(&format!("{head} merge, and {} what comes of it:", rejection(judgement)));
            let findings = judgement
                .evidence
                .iter()
                .flat_map(|guard| guard.verdict.findings().iter().map(move |finding| (guard, finding)));
            for (guard, finding) in findings.take(SHOWN) {
                let place = match (&finding.path, finding.line) {
                    (Some(path), Some(line)) => format!("{path}:{line}: "),
                    (Some(path), None) => format!("{path}: "),
                    (None, _) => String::new(),
                };
                let text = format!("{place}{} ({}/{})", finding.message, guard.id, finding.rule);
                page.line(&format!("  {}", escape::inline(&text, 400)));
            }
        }
    }
}

fn rejection(judgement: &Judgement) -> String {
    let against = judgement.against();
    let verb = if against.len() == 1 { "rejects" } else { "reject" };
    format!("{} {verb}", escape::inline(&against.join(", "), 200))
}

/// Up to three paths.
fn listed(paths: &[String]) -> String {
    match paths.len() {
        0..=SHOWN => paths.join(", "),
        more => format!("{} and {} more", paths[..SHOWN].join(", "), more - SHOWN),
    }
}
