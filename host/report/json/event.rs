//! Events as the trace has them: a name and data.

use serde_json::{Value, json};

use guardhost_core::change::{Event, Evidence, GuardVerdict};

use super::{check, plan};
use crate::escape;

/// Characters of the text that goes with a guard's own event.
const MAX_ERROR: usize = 300;

/// None for events that are only shown live.
pub fn entry(event: &Event) -> Option<(&str, Value)> {
    Some(match event {
        Event::RunStarted { run: _, repo, base, task, provider, guards, rounds, budget } => (
            "run-started",
            json!({ "repo": repo, "base": base, "task": task, "provider": provider, "guards": guards, "rounds": rounds, "budget": budget }),
        ),
        Event::RoundStarted { round: _, rounds } => ("round-started", json!({ "rounds": rounds })),
        Event::Asking { provider, recorded, prompt, prompt_bytes } => (
            "asking",
            json!({ "provider": provider, "recorded": recorded, "prompt": prompt, "prompt_bytes": prompt_bytes }),
        ),
        Event::Progress { .. } => return None,
        Event::ProviderFailed { provider, class, message, next } => {
            ("provider-failed", json!({ "provider": provider, "class": class, "message": message, "next": next }))
        }
        Event::Replied { provider, model, bytes, micros, usage, recorded } => (
            "replied",
            json!({
                "provider": provider, "model": model, "bytes": bytes, "micros": micros, "usage": usage,
                "recorded": recorded,
            }),
        ),
        Event::Spent { spent, seconds, budget } => {
            ("spent", json!({ "spent": spent, "seconds": seconds, "budget": budget }))
        }
        Event::Mended { notes } => ("mended", json!({ "notes": notes })),
        Event::Extracted { format, files, notes } => {
            ("extracted", json!({ "format": format, "files": files, "notes": notes }))
        }
        Event::NoPatch { kind, message } => ("no-patch", json!({ "kind": kind, "message": message })),
        Event::Sanitized { files } => ("sanitized", json!({ "files": files })),
        Event::Refused { kind, path, message } => {
            ("refused", json!({ "kind": kind, "path": path, "message": message }))
        }
        Event::Placed { tree, strategy, touched, notes } => {
            ("placed", json!({ "tree": tree, "strategy": strategy, "touched": touched, "notes": notes }))
        }
        Event::Misfit { at } => ("misfit", json!({ "at": at })),
        Event::Judging { guards } => ("judging", json!({ "guards": guards })),
        Event::Judged { evidence } => ("judged", check::evidence(evidence)),
        Event::Fixing { fixes, tree } => ("fixing", json!({ "fixes": fixes, "tree": tree })),
        Event::Fixed { fixes, tree, touched, notes: _ } => {
            ("fixed", json!({ "fixes": fixes, "tree": tree, "touched": touched }))
        }
        Event::NotFixed { why } => ("not-fixed", json!({ "why": why })),
        Event::Settling { tree } => ("settling", json!({ "tree": tree })),
        Event::Committed { branch, commit } => ("committed", json!({ "branch": branch, "commit": commit })),
        Event::Staged { tree } => ("staged", json!({ "tree": tree })),
        Event::Feedback { text } => ("feedback", json!({ "text": text })),
        Event::RejectedKept { reference } => ("rejected-kept", json!({ "reference": reference })),
        Event::Cycle { guards } => ("cycle", json!({ "guards": guards })),
        Event::RunEnded { outcome, commit, rounds, micros } => {
            ("run-ended", json!({ "outcome": outcome, "commit": commit, "rounds": rounds, "micros": micros }))
        }
        Event::PlanLayered { report } => (report.event(), plan::layer(report)),
        Event::MetricsScoped { scope, kept, dropped } => {
            ("scope.metrics_filtered", json!({ "scope": scope, "kept": kept, "dropped": dropped }))
        }
        // The trace has had no name of its own for it.
        Event::Failed { error: text } | Event::Notice { text } => ("notice", json!({ "text": text })),
    })
}

/// The event that a rejecting guard names in `describe` (`critic_doc_preservation.fail`), for readers of the older trace.
/// The name is text of the guard. Only names with a dot are used, and not those that begin as the host's own events with a dot do, so a
/// guard cannot forge one.
pub fn of_guard(evidence: &Evidence) -> Option<(&str, Value)> {
    let GuardVerdict::Reject(findings) = &evidence.verdict else { return None };
    let name = evidence.event.as_str();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    let is_of_host = ["plan.", "scope."].iter().any(|prefix| name.starts_with(prefix));
    if is_of_host || name.len() > 64 || !name.contains('.') || !name.bytes().all(plain) {
        return None;
    }
    let first = findings.first();
    let error = first.map(|finding| escape::inline(&finding.message, MAX_ERROR));
    let path = first.and_then(|finding| finding.path.as_deref());
    Some((name, json!({ "guard": evidence.id, "path": path, "error": error, "findings": findings.len() })))
}
