//! Messages as Anthropic defined them: <https://docs.anthropic.com/en/api/messages> and `…/messages-streaming`.

use serde_json::{Value, json};

use super::partial::{FinishReason, PartialResponse};
use super::{BodyQuestion, HttpDialect, error};

/// The API requires a bound. Enough for several long files, and no current model refuses it.
const MAX_TOKENS: u32 = 32_000;

pub(crate) const ANTHROPIC: HttpDialect = HttpDialect {
    path: "messages",
    headers: &[("anthropic-version", "2023-06-01")],
    key: |key| ("x-api-key", key.to_owned()),
    body,
    on_event,
    finish: |word| match word {
        "end_turn" | "stop_sequence" => FinishReason::Complete,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Truncated,
        "refusal" => FinishReason::Declined,
        _ => FinishReason::Unknown,
    },
};

fn body(question: &BodyQuestion) -> Value {
    json!({
        "model": question.model,
        "max_tokens": MAX_TOKENS,
        "messages": [{ "role": "user", "content": question.prompt }],
        "stream": question.stream,
    })
}

fn on_event(partial: &mut PartialResponse, event: &Value) {
    if error::is_error(event) {
        partial.error = Some(error::from_json(None, event));
        partial.done = true;
        return;
    }
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => message(partial, &event["message"]),
        // A whole body.
        "message" => {
            message(partial, event);
            event["content"].as_array().into_iter().flatten().for_each(|block| part(partial, block));
            stopped(partial, event);
        }
        "content_block_start" => part(partial, &event["content_block"]),
        "content_block_delta" => part(partial, &event["delta"]),
        "message_delta" => {
            usage(partial, &event["usage"]);
            stopped(partial, &event["delta"]);
        }
        "message_stop" => partial.done = true,
        // `ping`, and events that are added later: the documentation asks clients to ignore unknown ones.
        _ => {}
    }
}

fn message(partial: &mut PartialResponse, message: &Value) {
    partial.model = message["model"].as_str().map(str::to_owned);
    usage(partial, &message["usage"]);
}

/// Text or reasoning: a whole block, its start, or a delta.
fn part(partial: &mut PartialResponse, part: &Value) {
    // `tool_use`, `server_tool_use`, `mcp_tool_use`.
    if part["type"].as_str().is_some_and(|kind| kind.ends_with("tool_use")) {
        partial.tool(&part["name"]);
    }
    partial.text.push_str(part["text"].as_str().unwrap_or_default());
    partial.reasoning.push_str(part["thinking"].as_str().unwrap_or_default());
}

fn stopped(partial: &mut PartialResponse, from: &Value) {
    if let Some(reason) = from["stop_reason"].as_str() {
        partial.finish_reason = Some(reason.to_owned());
    }
}

/// Counts are cumulative; input tokens come as three numbers.
fn usage(partial: &mut PartialResponse, used: &Value) {
    let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let input = parts.iter().filter_map(|key| used[key].as_u64()).reduce(u64::saturating_add);
    partial.usage.input_tokens = input.max(partial.usage.input_tokens);
    partial.usage.output_tokens = used["output_tokens"].as_u64().or(partial.usage.output_tokens);
}
