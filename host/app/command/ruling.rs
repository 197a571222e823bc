//! What the gate says, as reports show it.

use guardhost_core::change::{GuardVerdict, Judgement, Mode, Quotes, Severity};
use guardhost_gate::{ChangeAuthor, Judged, RefusedChange, Ruling};
use guardhost_report::{CheckReport, RefusalReport};

/// How a person who maintains the rules lets a change of them through, for refusals.
const ALLOW_RULE_CHANGES: &str = "maintainers of the rules approve it by --allow-rule-changes, by GUARDHOST_ALLOW_RULE_CHANGES=1 for one commit, or in CI by the label \
     guardhost-rules (docs/pull-requests.md)";

/// The same for a model: it is not shown how a person lets its change through.
pub(crate) const KEEP_RULES: &str = "Only the people who maintain the rules change them.";

/// The report with what the gate said, where the change may be approved: with the legal way on for whoever asks.
pub(crate) fn with_approvable_ruling(mut report: CheckReport, ruling: &Ruling, author: ChangeAuthor) -> CheckReport {
    if matches!(ruling, Ruling::Refused(_)) {
        report.notices.push(match author {
            ChangeAuthor::Person => ALLOW_RULE_CHANGES.to_owned(),
            ChangeAuthor::Model => KEEP_RULES.to_owned(),
        });
    }
    let mut report = with_ruling(report, ruling);
    if let Ruling::Refused(refused) = ruling {
        report.refusal = Some(RefusalReport::needs_approval(&refused.refused));
    }
    report
}

/// The report with what the gate said.
pub fn with_ruling(report: CheckReport, ruling: &Ruling) -> CheckReport {
    match ruling {
        Ruling::Empty(candidate) => CheckReport { base: candidate.base, candidate: Some(candidate.tree), ..report },
        Ruling::Refused(refused) => {
            let RefusedChange { candidate, refused, misfits } = refused.as_ref();
            let mut report = CheckReport {
                base: candidate.base,
                candidate: Some(candidate.tree),
                refusal: Some(RefusalReport::from(refused)),
                ..report
            };
            report.notices.extend(misfits.iter().map(|finding| finding.message.clone()));
            report
        }
        Ruling::Judged(judged) => with_judgement(report, judged),
    }
}

/// The report with what the guards said, and what their fixes came to.
pub(crate) fn with_judgement(report: CheckReport, judged: &Judged) -> CheckReport {
    let (candidate, judgement) = judged.proposed();
    let report = CheckReport {
        base: candidate.base,
        candidate: Some(candidate.tree),
        quotes: Quotes::take(candidate, judgement),
        notes: candidate.notes.clone(),
        judgement: judgement.clone(),
        ..report
    };
    match judged.autofix() {
        Some(autofix) => report.with_fixing(autofix),
        None => report,
    }
}

/// Nothing else stands in the way: a guard that failed has no fix.
pub(crate) fn has_only_fixable_errors(judgement: &Judgement) -> bool {
    let enforced = || judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
        return false;
    }
    let findings = enforced().flat_map(|evidence| evidence.verdict.findings());
    let mut errors = findings.filter(|finding| finding.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(|finding| finding.fix.is_some())
}
