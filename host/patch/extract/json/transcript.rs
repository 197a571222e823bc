//! The calls of a transcript that is one list, whose results say which of them failed.

use serde_json::Value;

use super::super::account::reports_failure;
use super::object::JsonObject;

/// Takes the calls out of the list whose results say that they failed.
///
/// # Errors
/// A result may say that a call failed, and does not tell which.
pub(super) fn take_failed(entries: &mut Vec<JsonObject>) -> Result<Vec<JsonObject>, &'static str> {
    const UNCLEAR: &str = "a result in the list may say that a call was not made; send what is meant alone";
    let mut failed: Vec<JsonObject> = Vec::new();
    let mut at = 0;
    while at < entries.len() {
        let told = Told::by(&entries[at]);
        match told {
            Told::Nothing => {}
            Told::Unclear => return Err(UNCLEAR),
            Told::Failed => {
                let id = entries[at].id(&["tool_call_id", "tool_use_id", "call_id"]).map(str::to_owned);
                let mut lost = id.as_deref().map(|id| take(&mut entries[..at], id)).unwrap_or_default();
                // Without an id it is the result of the one call right above it.
                if lost.is_empty()
                    && id.is_none()
                    && let Some(above) = at.checked_sub(1).filter(|above| entries[*above].is_one_call())
                {
                    lost.push(std::mem::take(&mut entries[above]));
                }
                if lost.is_empty() {
                    return Err(UNCLEAR);
                }
                failed.append(&mut lost);
            }
        }
        at += 1;
    }
    entries.retain(|entry| failed.is_empty() || entry.is_call() && !entry.is_result());
    Ok(failed)
}

/// The calls with this id, taken out of the entries.
fn take(entries: &mut [JsonObject], id: &str) -> Vec<JsonObject> {
    let mut taken = Vec::new();
    for entry in entries {
        let calls = entry.tool_calls.take();
        let (lost, kept): (Vec<JsonObject>, Vec<JsonObject>) =
            calls.into_iter().flatten().partition(|call| call.id(&["id", "call_id"]) == Some(id));
        taken.extend(lost);
        entry.tool_calls = Some(kept).filter(|kept| !kept.is_empty());
        if entry.is_call() && !entry.is_result() && entry.id(&["id", "call_id"]) == Some(id) {
            taken.push(std::mem::take(entry));
        }
    }
    taken
}

/// What an entry says of a call.
enum Told {
    Nothing,
    Failed,
    Unclear,
}

impl Told {
    fn by(entry: &JsonObject) -> Told {
        if !entry.is_result() {
            return Told::Nothing;
        }
        let text = entry.content.as_ref().and_then(Value::as_str).unwrap_or_default();
        let is_error = text.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("error"));
        match is_error || entry.others.get("is_error") == Some(&Value::Bool(true)) {
            true => Told::Failed,
            false if reports_failure(text) => Told::Unclear,
            false => Told::Nothing,
        }
    }
}

impl JsonObject {
    fn id(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.others.get(*name)?.as_str())
    }

    fn is_one_call(&self) -> bool {
        self.is_call() && !self.is_result() && self.tool_calls.as_ref().is_none_or(|calls| calls.len() == 1)
    }
}
