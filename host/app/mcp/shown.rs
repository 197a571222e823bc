//! Results as a client takes them: structured, and as text for clients and models that read no more than that.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use guardhost_core::error::{Context, Error, Result, fault};

/// A file's text stands in a block of its own: inside JSON its line feeds are `\n`, and a model that copies those into a diff
/// has a diff that fits nowhere.
pub(super) fn shown(value: impl Serialize, success: bool) -> Result<CallToolResult> {
    let value = serde_json::to_value(value).context("a result that JSON cannot hold")?;
    let mut told = value.clone();
    let state = match told.get("latest_file_state") {
        Some(_) => told.get_mut("latest_file_state"),
        None => Some(&mut told),
    };
    let text = state.and_then(Value::as_object_mut).and_then(|state| match state.get("encoding") {
        Some(encoding) if encoding == "utf-8" => state.shift_remove("content"),
        _ => None,
    });
    let mut blocks = vec![ContentBlock::text(told.to_string())];
    if let Some(Value::String(text)) = text {
        blocks.push(ContentBlock::text(text));
    }
    let mut result = CallToolResult::structured(value);
    result.content = blocks;
    result.is_error = Some(!success);
    Ok(result)
}

/// An error of the disk, the repository or its rules, or arguments that make no sense.
pub(super) fn failed(error: &Error) -> CallToolResult {
    let hint =
        fault(error).and_then(|fault| fault.hint.as_ref()).map_or_else(String::new, |hint| format!("\nHint: {hint}"));
    CallToolResult::error(vec![ContentBlock::text(format!("{error:#}{hint}"))])
}
