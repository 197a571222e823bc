//! The words of a commit.

use super::quote::{clean, cut};
use guardhost_core::change::{GuardVerdict, Judgement, Mode};

/// Columns of a subject, as git's tools show it.
const SUBJECT: usize = 72;

/// Bytes of the text below it. A message explains; what is longer is a reply that lost its way.
const BODY: usize = 4096;

/// The reply's own message if it has one, else the task's first line; the run as a trailer.
pub(super) fn accepted(message: Option<&str>, task: &str, run: &str) -> String {
    let own = message.map(tidy).filter(|message| !message.is_empty());
    let text = own.unwrap_or_else(|| tidy(task.trim_start().lines().next().unwrap_or_default()));
    let (subject, body) = match text.split_once('\n') {
        Some((subject, body)) => (subject.trim_end(), body.trim()),
        None => (text.as_str(), ""),
    };
    let mut parts = Vec::new();
    if subject.is_empty() {
        parts.push("Apply a change that all guards passed".to_owned());
    } else if subject.chars().count() <= SUBJECT {
        parts.push(subject.to_owned());
    } else {
        // The whole line stands below, so that nothing of it is lost.
        parts.extend([shortened(subject), cut(subject, BODY).to_owned()]);
    }
    parts.extend(Some(cut(body, BODY).trim_end().to_owned()).filter(|body| !body.is_empty()));
    parts.push(trailer(run));
    parts.join("\n\n") + "\n"
}

pub(super) fn rejected(judgement: &Judgement, run: &str, round: u32) -> String {
    let enforced = judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let lines = enforced.filter_map(|evidence| match &evidence.verdict {
        GuardVerdict::Reject(findings) => Some(format!("{}: {} finding(s)", clean(&evidence.id), findings.len())),
        GuardVerdict::Error { code, .. } => Some(format!("{}: failed ({code})", clean(&evidence.id))),
        GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => None,
    });
    let lines: Vec<_> = lines.collect();
    format!("Rejected in round {round}\n\n{}\n\n{}\n", lines.join("\n"), trailer(run))
}

fn trailer(run: &str) -> String {
    format!("Guardhost-Run: {}", clean(run))
}

/// Without control characters, and without lines that only Guardhost may write.
fn tidy(text: &str) -> String {
    let lines = text.trim().lines().map(|line| clean(line.trim_end()));
    let ours = |line: &String| line.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("guardhost-"));
    lines.filter(|line| !ours(line)).collect::<Vec<_>>().join("\n")
}

/// At the last word that fits.
fn shortened(subject: &str) -> String {
    let kept: String = subject.chars().take(SUBJECT).collect();
    match kept.rsplit_once(' ') {
        Some((words, _)) if words.len() * 2 > kept.len() => format!("{}…", words.trim_end()),
        // A single long word is cut where it must be.
        _ => kept.chars().take(SUBJECT - 1).chain(['…']).collect(),
    }
}
