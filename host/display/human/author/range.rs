//! The commits with findings, and the number of verdicts of each kind.

use super::super::super::{format_units, text};
use super::super::findings::last_words;
use super::super::writer::{DIM, PageWriter, RED};
use guardhost_report::escape;
use guardhost_report::{RangeReport, VerdictKind};

pub fn range(page: &mut PageWriter, RangeReport { id, past }: &RangeReport) {
    for change in &past.changes {
        let verdict = VerdictKind::from(&change.evidence.verdict);
        // Commits without a finding are counted, not listed.
        if !verdict.is_blocking() && change.evidence.verdict.findings().is_empty() {
            continue;
        }
        let style = if verdict.is_blocking() { RED } else { DIM };
        let commit = change.commit.map_or_else(|| past.range.clone(), |commit| commit.to_string()[..12].to_owned());
        let subject = if change.commit.is_some() { escape::inline(&change.subject, 100) } else { String::new() };
        page.line(&format!("{commit} {} {subject}", page.paint(style, verdict.as_str())));
        page.inside(3, |page| {
            if let Some(reason) = change.evidence.verdict.reason() {
                page.line(&escape::inline(reason, 400));
                last_words(page, &change.evidence);
            }
            for finding in change.evidence.verdict.findings() {
                let place = text::location(finding);
                page.line(&format!("{place} {}: {}", finding.rule, escape::inline(&finding.message, 400)));
            }
        });
    }
    page.gap();
    page.line(&format!(
        "{}: {} judged, {} rejected, {} not applicable, {} with an error",
        escape::inline(id, 64),
        format_units::count(past.changes.len(), "change"),
        past.count(VerdictKind::Reject),
        past.count(VerdictKind::NotApplicable),
        past.count(VerdictKind::Error)
    ));
}
