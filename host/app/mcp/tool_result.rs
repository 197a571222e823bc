//! Results as clients show them to models. Claude Code and Codex show the structured content, where there is one, and not the text.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use guardhost_core::error::{Context, Error, Result, fault};

/// The content of a file gets a text block of its own, and then there is no structured content: inside JSON its line feeds are `\n`, and
/// a model that copies those into a diff gets a diff that fits nowhere.
pub(super) fn tool_result(value: impl Serialize, success: bool) -> Result<CallToolResult> {
    let mut value = serde_json::to_value(value).context("the result cannot be represented as JSON")?;
    let state = match value.get("latest_file_state") {
        Some(_) => value.get_mut("latest_file_state"),
        None => Some(&mut value),
    };
    let text = state.and_then(Value::as_object_mut).and_then(|state| match state.get("encoding") {
        Some(encoding) if encoding == "utf-8" => state.shift_remove("content"),
        _ => None,
    });
    let mut result = match text {
        Some(Value::String(text)) => {
            CallToolResult::success(vec![ContentBlock::text(value.to_string()), ContentBlock::text(text)])
        }
        _ => {
            let text = value.to_string();
            let mut result = CallToolResult::structured(value);
            result.content = vec![ContentBlock::text(text)];
            result
        }
    };
    result.is_error = Some(!success);
    Ok(result)
}

/// The result for an error of the disk, the repository or its rules, or for invalid arguments.
pub(super) fn failed(error: &Error) -> CallToolResult {
    let hint =
        fault(error).and_then(|fault| fault.hint.as_ref()).map_or_else(String::new, |hint| format!("\nHint: {hint}"));
    CallToolResult::error(vec![ContentBlock::text(format!("{error:#}{hint}"))])
}
