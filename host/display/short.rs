//! For models: the findings in one line each with what to do, and the verdict. Of other reports, the page for people without colours.

use guardhost_core::change::{GuardVerdict, Mode, Verdict};
use guardhost_report::{CheckReport, Refusal, Report, escape};

use super::{Appearance, format_units, human, text};

/// Maximum findings; the other formats have them all.
const MAX_FINDINGS: usize = 30;
/// Maximum characters of a message, and of a help text.
const MAX_TEXT: usize = 600;

pub fn render(report: &Report) -> Vec<u8> {
    let lines = match report {
        Report::Check(report) => check(report),
        Report::Apply(report) => {
            let mut lines = match (&report.refusal, &report.check) {
                (Some(refused), _) => refusal(refused),
                (None, Some(checked)) => check(checked),
                (None, None) => Vec::new(),
            };
            lines.push(match (report.applied, report.dry_run) {
                (true, false) => "applied".to_owned(),
                (true, true) => "would apply; nothing was written".to_owned(),
                (false, _) => "not applied; nothing was written".to_owned(),
            });
            lines
        }
        _ => {
            return human::render(
                report,
                &Appearance { color: false, width: None, unicode: false, verbose: false, rules: crate::NO_RULES },
            );
        }
    };
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().into_bytes()
}

fn refusal(refused: &Refusal) -> Vec<String> {
    let of_place = |path: &str, message: &str| format!("- {}", escape::inline(&format!("{path}{message}"), MAX_TEXT));
    match refused.at.as_slice() {
        [] => vec![of_place("", &refused.message)],
        places => places.iter().map(|at| of_place(&format!("{}: ", at.path), &at.message)).collect(),
    }
}

fn check(check: &CheckReport) -> Vec<String> {
    if let Some(refused) = &check.refusal {
        return refusal(refused).into_iter().chain(["rejected: no guard was asked".to_owned()]).collect();
    }
    // Secrets that a finding is about are not shown.
    let judgement = check.judgement.for_model(&check.quotes);
    let mut lines = Vec::new();
    let mut more = 0;
    for evidence in judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce) {
        if let GuardVerdict::Error { code, message, .. } = &evidence.verdict {
            lines.push(format!(
                "- {} failed [{code}]: {}",
                escape::inline(&evidence.id, 64),
                escape::inline(message, MAX_TEXT)
            ));
        }
        for finding in evidence.verdict.findings() {
            if lines.len() >= MAX_FINDINGS {
                more += 1;
                continue;
            }
            let place = Some(text::place(finding)).filter(|place| !place.is_empty());
            let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
            let rule = escape::inline(&format!("{}/{}", evidence.id, finding.rule), 130);
            let severity = text::severity(finding.severity);
            let mut line = format!("- {place}{severity}: {} ({rule})", escape::inline(&finding.message, MAX_TEXT));
            if let Some(help) = &finding.help {
                line += &format!("\n  {}", escape::inline(help, MAX_TEXT));
            }
            lines.push(line);
        }
    }
    if more > 0 {
        lines.push(format!("- {} more", format_units::count(more, "finding")));
    }
    lines.push(match check.verdict() {
        Verdict::Pass if check.is_unjudged() => "accepted, but nothing judged this change".to_owned(),
        Verdict::Pass => "accepted".to_owned(),
        Verdict::Reject => format!("rejected by {}", escape::inline(&judgement.against().join(", "), 300)),
        Verdict::Error => format!("rejected: {} failed", escape::inline(&judgement.against().join(", "), 300)),
    });
    lines
}
