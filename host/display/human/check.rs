//! The findings and the verdict; with `--verbose` a row for each guard before them.

use guardhost_core::change::{Allowance, AllowedFinding, Evidence, GuardVerdict, Mode, Severity, Verdict};

use super::super::{format_units, text};
use super::MAX_TEXT;
use super::findings::findings;
use super::notes::{notes, notices};
use super::refusal::refusal;
use super::table::{self, Cell, cell};
use super::triage::triage;
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{ChangeProof, CheckReport, ProofState};

pub fn check(page: &mut PageWriter, check: &CheckReport) {
    notes(page, &check.notes);
    if let Some(refused) = &check.refusal {
        refusal(page, refused);
    } else {
        verdicts(page, check);
        findings(page, check);
        page.gap();
        proved(page, check);
        allowed(page, check);
        if let Some(found) = &check.triage {
            triage(page, found);
        }
        conclusion(page, check);
    }
    notices(page, &check.notices);
}

/// The table of verdicts: of all guards for those who ask for it, else of those that measured something. What a guard found, and why one
/// failed, is shown below in any case.
pub fn verdicts(page: &mut PageWriter, check: &CheckReport) {
    let verbose = page.look.verbose;
    let shown = check.judgement.evidence.iter().filter(|evidence| verbose || !evidence.metrics.is_empty());
    let rows: Vec<_> = shown.map(|evidence| row(page, evidence)).collect();
    table::table(page, &rows);
}

fn row(page: &PageWriter, evidence: &Evidence) -> Vec<Cell> {
    let style = match &evidence.verdict {
        GuardVerdict::Pass(_) => GREEN,
        GuardVerdict::NotApplicable(_) => DIM,
        GuardVerdict::Reject(_) | GuardVerdict::Error { .. } if evidence.mode == Mode::Monitor => YELLOW,
        GuardVerdict::Reject(_) | GuardVerdict::Error { .. } => RED,
    };
    let word = match &evidence.verdict {
        GuardVerdict::NotApplicable(_) => "not applicable",
        verdict => verdict.as_str(),
    };
    let monitored = if evidence.mode == Mode::Monitor { " (monitor)" } else { "" };
    let metrics = evidence.metrics.iter().map(|(name, value)| format!("{} {value}", escape::inline(name, 60)));
    let reason = match &evidence.verdict {
        GuardVerdict::Error { code, .. } => (*code).to_owned(),
        verdict => match verdict.reason() {
            Some(reason) => escape::inline(reason, MAX_TEXT),
            None => text::headline(verdict.findings()),
        },
    };
    let time = match evidence.reused {
        true => "reused".to_owned(),
        false => format_units::time(evidence.micros, page.look.unicode),
    };
    let reason: Vec<String> = std::iter::once(reason).filter(|reason| !reason.is_empty()).chain(metrics).collect();
    vec![
        cell(BOLD, escape::inline(&evidence.id, 64)),
        cell(DIM, escape::inline(&evidence.mark, 12)),
        cell(DIM, escape::inline(&evidence.version, 32)),
        cell(style, format!("{word}{monitored}")),
        cell(DIM, format!("{time:>8}")),
        cell(if style == DIM { DIM } else { PLAIN }, reason.join(", ")),
    ]
}

/// What running the change has shown; nothing where no guard runs it.
pub fn proved(page: &mut PageWriter, check: &CheckReport) {
    let row = |proof: &ChangeProof| {
        let style = match proof.state {
            ProofState::Proved => GREEN,
            ProofState::Refuted => RED,
            ProofState::NotKnown => YELLOW,
        };
        let why = proof.why.as_deref().map(|why| format!("{}; ", escape::inline(why, MAX_TEXT))).unwrap_or_default();
        vec![
            cell(style, proof.state.as_str()),
            cell(PLAIN, proof.claim),
            cell(DIM, format!("{why}again: {}", proof.command)),
        ]
    };
    let rows: Vec<_> = check.proofs().iter().map(row).collect();
    table::table(page, &rows);
    if !rows.is_empty() {
        page.gap();
    }
}

/// Maximum number of allowed findings; the other formats have them all.
const MAX_ALLOWED: usize = 20;

/// What does not count, because a person allowed it.
pub fn allowed(page: &mut PageWriter, check: &CheckReport) {
    let all =
        check.judgement.evidence.iter().flat_map(|guard| guard.allowed.iter().map(move |allowed| (guard, allowed)));
    let (mut shown, mut more, mut listed) = (0, 0, 0);
    let label = page.paint(DIM, "allowed");
    for (guard, AllowedFinding { finding, by }) in all {
        let Allowance::Comment { reason, .. } = by else {
            listed += 1;
            continue;
        };
        if shown == MAX_ALLOWED {
            more += 1;
            continue;
        }
        shown += 1;
        let what = format!("{} {}/{}: {reason}", text::location(finding), guard.id, finding.rule);
        page.labelled(&label, &escape::inline(&what, 400), PLAIN);
    }
    if more > 0 {
        page.labelled(
            &label,
            &format!("{} more; `--format json` lists them all", format_units::count(more, "finding")),
            PLAIN,
        );
    }
    if listed > 0 {
        page.labelled(&label, &format!("{} of the baseline", format_units::count(listed, "finding")), PLAIN);
    }
}

/// The whole judgement in one line.
pub fn conclusion(page: &mut PageWriter, check: &CheckReport) {
    let evidence = &check.judgement.evidence;
    let count = |wanted: fn(&GuardVerdict) -> bool| evidence.iter().filter(|each| wanted(&each.verdict)).count();
    let passed = count(|verdict| matches!(verdict, GuardVerdict::Pass(_)));
    let skipped = count(|verdict| matches!(verdict, GuardVerdict::NotApplicable(_)));
    let blocking = escape::inline(&check.judgement.against().join(", "), 300);
    let findings = [(Severity::Error, "error"), (Severity::Warning, "warning")].map(|(severity, noun)| {
        let count = check.count(severity);
        (count > 0).then(|| format_units::count(count, noun))
    });
    let findings = findings.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let rejected = page.paint(RED, page.sign("✗ rejected", "rejected"));
    let line = match check.verdict() {
        Verdict::Pass if check.is_unjudged() => {
            let monitored = evidence.iter().any(|each| !matches!(each.verdict, GuardVerdict::NotApplicable(_)));
            let why = match monitored {
                true => "only monitored guards looked at it",
                false => "no guard had anything to judge",
            };
            format!("{}, but nothing judged this change: {why}", page.paint(YELLOW, "accepted"))
        }
        Verdict::Pass => {
            let accepted = page.paint(GREEN, page.sign("✓ accepted", "accepted"));
            let skipped = if skipped > 0 { format!(", {skipped} not applicable") } else { String::new() };
            format!("{accepted}: {} passed{skipped}", format_units::count(passed, "guard"))
        }
        Verdict::Reject => format!("{rejected} by {blocking}: {findings}"),
        Verdict::Error => format!("{rejected}: {blocking} failed, and a guard that fails rejects the change"),
    };
    page.line(&line);
    if let Some(reason) = check.fixed.as_ref().and_then(|fixed| fixed.reason.as_deref()) {
        let label = page.paint(CYAN, "fix");
        page.labelled(&label, &format!("the guards' own fixes were not applied: {reason}"), PLAIN);
    }
}
