//! Events as the trace has them: a name and data.

use guardhost_core::change::{Event, Evidence, GuardVerdict};
use serde_json::{Value, json};

use crate::escape;

/// Characters of the text that goes with a guard's own event.
const MAX_ERROR: usize = 300;

/// None for events that are only shown live.
///
/// # Errors
/// The event cannot be written as JSON.
pub fn entry(event: &Event) -> serde_json::Result<Option<(String, Value)>> {
    match event {
        Event::Progress { .. } => Ok(None),
        Event::PlanLayered { report } => Ok(Some((report.event().to_owned(), serde_json::to_value(report.by_kind())?))),
        event => match serde_json::to_value(event)? {
            Value::Object(named) => Ok(named.into_iter().next()),
            // Every other event has fields.
            _ => Ok(None),
        },
    }
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
