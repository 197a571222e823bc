//! For models: what they read of every change that is not accepted, and the verdict. Of other reports, the page for people without colours.

use guardhost_core::change::{Rejection, Verdict};
use guardhost_report::for_model::{FEEDBACK_LIMIT, brief};
use guardhost_report::{CheckReport, RefusalReport, Report, escape};

use super::{Appearance, human};

/// Maximum characters of a message of the host; the other formats have all of it.
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

fn refusal(refused: &RefusalReport) -> Vec<String> {
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
    let rejection = Rejection {
        judgement: check.judgement.clone(),
        quotes: check.quotes.clone(),
        clean_files: Vec::new(),
        after_autofix: None,
        core: Vec::new(),
    };
    let found = escape::block(&brief(&rejection, FEEDBACK_LIMIT), usize::MAX);
    let mut lines: Vec<String> = Some(found).filter(|found| !found.is_empty()).into_iter().collect();
    let against = || escape::inline(&check.judgement.against().join(", "), 300);
    lines.push(match check.verdict() {
        Verdict::Pass if check.is_unjudged() => "accepted, but nothing judged this change".to_owned(),
        Verdict::Pass => "accepted".to_owned(),
        Verdict::Reject => format!("rejected by {}", against()),
        Verdict::Error => format!("rejected: {} failed", against()),
    });
    lines
}
