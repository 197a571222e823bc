//! The verdict table, the findings beneath it, and the verdict.

use guardhost_core::change::{Evidence, GuardVerdict, Mode, Note, Severity, Touched, Verdict};

use super::super::{format_units, labels, text};
use super::MAX_TEXT;
use super::findings::findings;
use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED, YELLOW};
use super::table::{self, Cell, cell};
use guardhost_report::escape;
use guardhost_report::{ApplyReport, CheckReport, Refusal};

pub fn check(page: &mut Page, check: &CheckReport) {
    notes(page, &check.notes);
    if let Some(refused) = &check.refusal {
        refusal(page, refused);
    } else {
        verdicts(page, check);
        findings(page, check);
        page.gap();
        conclusion(page, check);
    }
    notices(page, &check.notices);
}

pub fn apply(page: &mut Page, apply: &ApplyReport) {
    // What was judged brings its own.
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
}

/// One row a guard.
pub fn verdicts(page: &mut Page, check: &CheckReport) {
    let rows: Vec<_> = check.judgement.evidence.iter().map(|evidence| row(page, evidence)).collect();
    for line in table::rows(page, &rows) {
        page.line(&line);
    }
}

fn row(page: &Page, evidence: &Evidence) -> Vec<Cell> {
    let style = match &evidence.verdict {
        GuardVerdict::Pass(_) => GREEN,
        GuardVerdict::NotApplicable(_) => DIM,
        GuardVerdict::Reject(_) | GuardVerdict::Error { .. } if evidence.mode == Mode::Monitor => YELLOW,
        GuardVerdict::Reject(_) | GuardVerdict::Error { .. } => RED,
    };
    let word = match &evidence.verdict {
        GuardVerdict::NotApplicable(_) => "not applicable",
        verdict => verdict.word(),
    };
    let monitored = if evidence.mode == Mode::Monitor { " (monitor)" } else { "" };
    let metrics = evidence.metrics.iter().map(|(name, value)| format!("{} {value}", escape::inline(name, 60)));
    let said = match &evidence.verdict {
        GuardVerdict::Error { code, .. } => (*code).to_owned(),
        verdict => match verdict.reason() {
            Some(reason) => escape::inline(reason, MAX_TEXT),
            None => text::headline(verdict.findings()),
        },
    };
    let said: Vec<String> = std::iter::once(said).filter(|said| !said.is_empty()).chain(metrics).collect();
    vec![
        cell(DIM, escape::inline(&evidence.mark, 12)),
        cell(BOLD, escape::inline(&evidence.id, 64)),
        cell(DIM, escape::inline(&evidence.version, 32)),
        cell(style, format!("{word}{monitored}")),
        cell(DIM, format!("{:>8}", format_units::time(evidence.micros, page.look.unicode))),
        cell(if style == DIM { DIM } else { PLAIN }, said.join(", ")),
    ]
}

/// The whole judgement in one line.
pub fn conclusion(page: &mut Page, check: &CheckReport) {
    let evidence = &check.judgement.evidence;
    let count = |wanted: fn(&GuardVerdict) -> bool| evidence.iter().filter(|each| wanted(&each.verdict)).count();
    let passed = count(|verdict| matches!(verdict, GuardVerdict::Pass(_)));
    let idle = count(|verdict| matches!(verdict, GuardVerdict::NotApplicable(_)));
    let against = escape::inline(&check.judgement.against().join(", "), 300);
    let findings = [(Severity::Error, "error"), (Severity::Warning, "warning")].map(|(severity, noun)| {
        let count = check.count(severity);
        (count > 0).then(|| format_units::count(count, noun))
    });
    let findings = findings.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let rejected = page.paint(RED, page.sign("✗ rejected", "rejected"));
    let line = match check.verdict() {
        Verdict::Pass if idle == evidence.len() => {
            format!("{}: no guard had anything to judge", page.paint(YELLOW, "accepted"))
        }
        Verdict::Pass => {
            let accepted = page.paint(GREEN, page.sign("✓ accepted", "accepted"));
            let idle = if idle > 0 { format!(", {idle} not applicable") } else { String::new() };
            format!("{accepted}: {} passed{idle}", format_units::count(passed, "guard"))
        }
        Verdict::Reject => format!("{rejected} by {against}: {findings}"),
        Verdict::Error => format!("{rejected}: {against} failed, and a failure rejects"),
    };
    page.line(&line);
    if let Some(reason) = check.fixed.as_ref().and_then(|fixed| fixed.reason.as_deref()) {
        let label = page.paint(CYAN, "fix");
        page.labelled(&label, &format!("the guards' own fixes were not applied: {reason}"), PLAIN);
    }
}

pub fn refusal(page: &mut Page, refusal: &Refusal) {
    let label = page.paint(RED, &format!("{}[{}]", refusal.kind, escape::inline(&refusal.code, 64)));
    if refusal.at.is_empty() {
        let path = refusal.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
        page.labelled(&label, &format!("{path}{}", refusal.message), BOLD);
        return;
    }
    for at in &refusal.at {
        let label = page.paint(RED, &format!("{}[{}]", refusal.kind, at.code));
        let hunk = at.hunk.map(|hunk| format!(", hunk {hunk}")).unwrap_or_default();
        page.labelled(&label, &format!("{}{hunk}: {}", at.path, at.message), BOLD);
    }
}

pub fn touched(page: &mut Page, touched: &[Touched]) {
    let row = |file: &Touched| {
        let added = format!("+{}", file.lines_added);
        let deleted = format!("{}{}", page.sign("−", "-"), file.lines_deleted);
        let path = escape::inline(&labels::path(file), 300);
        vec![cell(DIM, labels::letter(file.change_type)), cell(GREEN, added), cell(RED, deleted), cell(PLAIN, path)]
    };
    let rows: Vec<_> = touched.iter().map(row).collect();
    for line in table::rows(page, &rows) {
        page.line(&line);
    }
}

pub fn notes(page: &mut Page, notes: &[Note]) {
    for note in notes {
        let label = page.paint(CYAN, "mended");
        page.labelled(&label, &note.to_string(), PLAIN);
    }
    page.gap();
}

pub fn notices(page: &mut Page, notices: &[String]) {
    for notice in notices {
        let label = page.paint(YELLOW, "note");
        page.labelled(&label, notice, PLAIN);
    }
}
