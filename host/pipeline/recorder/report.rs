//! The report of a run, folded from its events.

use guardhost_core::change::{Event, Oid};
use guardhost_report::{FailedProvider, RoundReport, RunReport};

/// What an event adds to the report.
pub fn add_to_report(report: &mut RunReport, event: &Event) {
    match event {
        Event::RoundStarted { round, rounds } => {
            report.rounds_max = *rounds;
            report.rounds.push(RoundReport { round: *round, ..RoundReport::default() });
        }
        Event::Committed { branch, commit } => {
            report.branch = Some(branch.clone());
            report.commit = Oid::from_str(commit).ok();
        }
        Event::Notice { text } => report.notices.push(text.clone()),
        _ => {
            if let Some(round) = report.rounds.last_mut() {
                add_to_round(round, event);
            }
        }
    }
}

fn add_to_round(round: &mut RoundReport, event: &Event) {
    match event {
        Event::Asking { prompt, .. } => round.prompt = prompt,
        Event::ProviderFailed { provider, message, .. } => {
            round.failed.push(FailedProvider { provider: provider.clone(), reason: message.clone() })
        }
        Event::Replied { provider, model, micros, usage, recorded, .. } => {
            round.provider = provider.clone();
            round.model = model.clone();
            round.micros = *micros;
            round.usage = *usage;
            round.recorded = *recorded;
        }
        Event::Repaired { notes } => round.notes = notes.clone(),
        Event::Extracted { format, notes, .. } => {
            round.format = Some(*format);
            round.notes = notes.clone();
        }
        Event::Placed { strategy, touched, notes, .. } => {
            round.strategy = *strategy;
            round.touched = touched.clone();
            round.notes = notes.clone();
        }
        Event::Fixed { touched, notes, .. } => {
            round.touched = touched.clone();
            round.notes = notes.clone();
        }
        Event::Feedback { text } => round.feedback = Some(text.clone()),
        Event::RejectedKept { reference } => round.kept = Some(reference.clone()),
        _ => {}
    }
}
