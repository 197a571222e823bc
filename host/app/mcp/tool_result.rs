//! Results in two forms: structured, and as text for clients and models that read text only.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use guardhost_core::error::{Context, Error, Result, fault};

/// The content of a file gets a text block of its own: inside JSON its line feeds are `\n`, and a model that copies those into a
/// diff gets a diff that fits nowhere.
pub(super) fn tool_result(value: impl Serialize, success: bool) -> Result<CallToolResult> {
    let value = serde_json::to_value(value).context("the result cannot be represented as JSON")?;
    let mut without_content = value.clone();
    let state = match without_content.get("latest_file_state") {
        Some(_) => without_content.get_mut("latest_file_state"),
        None => Some(&mut without_content),
    };
    let text = state.and_then(Value::as_object_mut).and_then(|state| match state.get("encoding") {
        Some(encoding) if encoding == "utf-8" => state.shift_remove("content"),
        _ => None,
    });
    let mut blocks = vec![ContentBlock::text(without_content.to_string())];
    if let Some(Value::String(text)) = text {
        blocks.push(ContentBlock::text(text));
    }
    let mut result = CallToolResult::structured(value);
    result.content = blocks;
    result.is_error = Some(!success);
    Ok(result)
}

/// The result for an error of the disk, the repository or its rules, or for invalid arguments.
pub(super) fn failed(error: &Error) -> CallToolResult {
    let hint =
        fault(error).and_then(|fault| fault.hint.as_ref()).map_or_else(String::new, |hint| format!("\nHint: {hint}"));
    CallToolResult::error(vec![ContentBlock::text(format!("{error:#}{hint}"))])
}
