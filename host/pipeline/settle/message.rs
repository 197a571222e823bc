//! The words of a commit.

use super::Settlement;
use crate::receipt::Statement;
use guardhost_core::change::{GuardVerdict, Judgement, Mode};
use guardhost_core::error::Result;
use guardhost_gate::Judged;
use guardhost_report::for_model::{clean, cut};

/// Columns of a subject, as git's tools show it.
const SUBJECT: usize = 72;

/// Bytes of the text below it. A message explains; what is longer is a reply that lost its way.
const BODY: usize = 4096;

/// Bytes of one trailer: names of providers, models and guards come from outside.
const TRAILER: usize = 1000;

/// The reply's own message if it has one, else the task's first line. Trailers: the run, its provider, model and rounds, that a model made
/// it where the rules want that said, the guards that passed the change, and the receipt of the judgement with its signature.
///
/// # Errors
/// The receipt cannot be signed.
pub(super) fn accepted(judged: &Judged, settlement: &Settlement) -> Result<String> {
    let Settlement { task, run, .. } = settlement;
    let (message, judgement) = (judged.candidate().message.as_deref(), judged.judgement());
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
    let mut trailers = vec![trailer("Run", run)];
    if let Some(by) = &settlement.answered_by {
        trailers.push(trailer("Provider", &by.provider));
        trailers.extend(by.model.as_ref().map(|model| trailer("Model", model)));
        trailers.push(trailer("Rounds", &settlement.round.to_string()));
        // `AGENT_NAME:MODEL_VERSION`, as the Linux kernel asks for it.
        let made_by = by.model.as_ref().map_or_else(|| by.provider.clone(), |model| format!("{}:{model}", by.provider));
        trailers.extend(settlement.disclosure.map(|key| line(key, &made_by)));
    }
    let enforced = judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let passed = enforced.filter(|evidence| matches!(evidence.verdict, GuardVerdict::Pass(_)));
    let guards: Vec<_> = passed.map(|evidence| format!("{} {}", evidence.id, evidence.version)).collect();
    if !guards.is_empty() {
        trailers.push(trailer("Guards", &guards.join(", ")));
    }
    if let Some(receipt) = judged.receipt() {
        trailers.push(trailer("Receipt", receipt));
        if let Some(signer) = settlement.signer {
            let (base_tree, tree) = (judged.candidate().base_tree, judged.candidate().tree);
            trailers.push(trailer("Receipt-Signature", &signer.sign(&Statement { base_tree, tree, receipt })?));
        }
    }
    parts.push(trailers.join("\n"));
    Ok(parts.join("\n\n") + "\n")
}

pub(super) fn rejected(judgement: &Judgement, run: &str, round: u32) -> String {
    let enforced = judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let lines = enforced.filter_map(|evidence| match &evidence.verdict {
        GuardVerdict::Reject(findings) => Some(format!("{}: {} finding(s)", clean(&evidence.id), findings.len())),
        GuardVerdict::Error { code, .. } => Some(format!("{}: failed ({code})", clean(&evidence.id))),
        GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => None,
    });
    let lines: Vec<_> = lines.collect();
    format!("Rejected in round {round}\n\n{}\n\n{}\n", lines.join("\n"), trailer("Run", run))
}

/// Of the part of a rejected attempt that the guards accept.
pub(super) fn part(run: &str, round: u32) -> String {
    format!("The part of round {round} that the guards accept\n\n{}\n", trailer("Run", run))
}

/// A trailer is one line, so line breaks in the value are removed.
fn trailer(name: &str, value: &str) -> String {
    line(&format!("Guardhost-{name}"), value)
}

fn line(key: &str, value: &str) -> String {
    format!("{key}: {}", cut(clean(value).trim(), TRAILER))
}

/// Without control characters, and without lines that only Guardhost may write.
fn tidy(text: &str) -> String {
    let lines = text.trim().lines().map(|line| clean(line.trim_end()));
    let ours = |line: &String| line.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("guardhost-"));
    lines.filter(|line| !ours(line)).collect::<Vec<_>>().join("\n")
}

/// Cuts the subject after the last whole word that fits.
fn shortened(subject: &str) -> String {
    let kept: String = subject.chars().take(SUBJECT).collect();
    match kept.rsplit_once(' ') {
        Some((words, _)) if words.len() * 2 > kept.len() => format!("{}…", words.trim_end()),
        // A single long word is cut where it must be.
        _ => kept.chars().take(SUBJECT - 1).chain(['…']).collect(),
    }
}
