//! What models said, in Markdown. All of it is escaped.

use guardhost_core::change::{Finding, GuardVerdict};
use guardhost_core::vote::{Approval, Ballot, Vote};
use guardhost_forge::{code, inline};
use guardhost_report::ReviewReport;

/// Findings of critics that are listed.
const LISTED: usize = 20;
/// Characters of a text.
const TEXT: usize = 400;

/// For the body of a pull request: what critics object to.
pub fn critics(report: &ReviewReport) -> String {
    let critics = report.critics.for_model(&report.check.quotes);
    let found: Vec<(&str, &Finding)> = critics
        .evidence
        .iter()
        .flat_map(|critic| critic.verdict.findings().iter().map(|finding| (critic.id.as_str(), finding)))
        .collect();
    let failed = critics.evidence.iter().filter_map(|critic| match &critic.verdict {
        GuardVerdict::Error { message, .. } => Some((&critic.id, message)),
        GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => None,
    });
    let failed: Vec<String> =
        failed.map(|(id, why)| format!("- {} failed: {}\n", inline(id, 60), inline(why, TEXT))).collect();
    let mut text = format!("### Critics\n\n{}", failed.concat());
    match found.as_slice() {
        [] if critics.evidence.is_empty() => text.push_str("None was asked.\n"),
        // Whoever failed has not looked.
        [] if failed.len() == critics.evidence.len() => {}
        [] => text.push_str("No objection.\n"),
        found => {
            for (critic, finding) in found.iter().take(LISTED) {
                let place = match (&finding.path, finding.line) {
                    (Some(path), Some(line)) => format!("{} ", code(&format!("{path}:{line}"), 300)),
                    (Some(path), None) => format!("{} ", code(path, 300)),
                    (None, _) => String::new(),
                };
                text.push_str(&format!("- {place}{}: {}\n", inline(critic, 60), inline(&finding.message, TEXT)));
            }
            if found.len() > LISTED {
                text.push_str(&format!("- and {} more\n", found.len() - LISTED));
            }
        }
    }
    text
}

/// A row for each vote, and what they come to.
pub fn rows_of_votes(votes: &[Vote], approval: &Approval) -> String {
    let result = match approval {
        Approval::Approved { mean } => format!("Approved: the votes have a mean of {mean:.1}."),
        Approval::Refused { why } => format!("Not approved: {}.", inline(&why.text(), TEXT)),
        Approval::NotAsked(why) => format!("No votes: {}.", inline(why, TEXT)),
    };
    if votes.is_empty() {
        return format!("{result}\n");
    }
    let rows: String = votes.iter().map(row).collect();
    format!("| voter | score | reasons |\n|---|---|---|\n{rows}\n{result}\n")
}

fn row(vote: &Vote) -> String {
    let (score, said) = match &vote.ballot {
        Ballot::Cast { score, reasons, .. } => {
            let reasons = reasons.iter().take(3);
            let said: Vec<String> = reasons
                .map(|reason| {
                    format!("{} {}", code(&format!("{}:{}", reason.path, reason.line), 200), inline(&reason.says, TEXT))
                })
                .collect();
            (score.to_string(), said.join("<br>"))
        }
        Ballot::Void(why) => ("void".to_owned(), inline(why, TEXT)),
    };
    format!("| {} | {score} | {said} |\n", inline(&vote.voter, 60))
}
