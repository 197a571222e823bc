//! Reports as one line of JSON. What is in it is derived, from the types in `data`.

use guardhost_core::error::Result;
use serde::Serialize;
use serde_json::Value;

use crate::{CheckReport, Report, escape};

/// Every report begins with its version.
#[derive(Serialize)]
struct Versioned<'a> {
    schema_version: u8,
    #[serde(flatten)]
    report: &'a Report,
}

/// One line with a line feed. Control characters in it are escaped ([`escape::json`]).
pub fn render(report: &Report) -> Vec<u8> {
    let value = serde_json::to_value(Versioned { schema_version: 1, report });
    debug_assert!(value.is_ok(), "{value:?}");
    // A report has only keys that are strings, and flattens only objects, so this cannot fail. If it does, no reader takes a string for a report.
    escape::json(
        &value.unwrap_or_else(|error| Value::String(format!("this report cannot be written as JSON: {error}"))),
    )
}

/// What of a check is the same on every machine that judges the same: no times, no word of caches, no notices, which name folders.
///
/// # Errors
/// It cannot be written as JSON.
pub fn exact(report: &CheckReport) -> Result<Value> {
    let mut value = serde_json::to_value(report)?;
    remove_inexact(&mut value);
    Ok(value)
}

fn remove_inexact(check: &mut Value) {
    let Some(object) = check.as_object_mut() else { return };
    object.shift_remove("notices");
    for guard in object.get_mut("guards").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(guard) = guard.as_object_mut() {
            ["micros", "cached", "reused"].iter().for_each(|name| drop(guard.shift_remove(*name)));
        }
    }
    if let Some(before) = object.get_mut("fixed").and_then(|fixed| fixed.get_mut("before")) {
        remove_inexact(before);
    }
}
