//! Events as the trace has them: a name and data.

use guardhost_core::change::Event;
use serde_json::Value;

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
