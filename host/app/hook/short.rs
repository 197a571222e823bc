//! What a model has to know of a rejected change, in few words.

use crate::session::{Objection, objections};
use guardhost_core::change::{Candidate, Judgement, Quotes, RoundFailure};
use guardhost_report::{Refusal, escape};

/// Findings that are listed.
const MAX_LISTED: usize = 12;
/// Characters of one message.
const MAX_MESSAGE: usize = 600;

/// What the guards have against a candidate.
pub(super) fn rejection(candidate: &Candidate, judgement: &Judgement) -> String {
    list(&objections(judgement, &Quotes::take(candidate, judgement)))
}

/// One line for each finding, and one for its help.
fn list(objections: &[Objection]) -> String {
    let mut text = String::new();
    for objection in objections.iter().take(MAX_LISTED) {
        let Objection { guard, rule, path, line, message, help, .. } = objection;
        let place = match (path, line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            (Some(path), None) => format!("{path}: "),
            (None, _) => String::new(),
        };
        text += &format!("- {place}{} ({guard}/{rule})\n", escape::inline(message, MAX_MESSAGE));
        if let Some(help) = help {
            text += &format!("  {}\n", escape::inline(help, MAX_MESSAGE));
        }
    }
    if objections.len() > MAX_LISTED {
        text += &format!("- {} more\n", objections.len() - MAX_LISTED);
    }
    text.trim_end().to_owned()
}

/// A patch that could not be placed.
pub(super) fn of_failure(failure: &RoundFailure) -> String {
    escape::block(&Refusal::from(failure).message, 4 * MAX_MESSAGE)
}
