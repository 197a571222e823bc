//! Messages as Anthropic defined them: <https://docs.anthropic.com/en/api/messages> and `…/messages-streaming`.

use serde_json::{Value, json};

use super::said::{End, Said};
use super::{Dialect, Request, error};

/// The API wants a bound. Enough for several long files, and no current model refuses it.
const MAX_TOKENS: u32 = 32_000;

pub(crate) const ANTHROPIC: Dialect = Dialect {
    path: "messages",
    headers: &[("anthropic-version", "2023-06-01")],
    key: |key| ("x-api-key", key.to_owned()),
    body,
    hear,
    end: |word| match word {
        "end_turn" | "stop_sequence" => End::Whole,
        "max_tokens" | "model_context_window_exceeded" => End::Cut,
        "refusal" => End::Declined,
        _ => End::Odd,
    },
};

fn body(request: &Request) -> Value {
    json!({
        "model": request.model,
        "max_tokens": MAX_TOKENS,
        "messages": [{ "role": "user", "content": request.prompt }],
        "stream": request.stream,
    })
}

fn hear(said: &mut Said, event: &Value) {
    if error::is_error(event) {
        said.error = Some(error::failure(None, event));
        said.over = true;
        return;
    }
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => message(said, &event["message"]),
        // A whole body.
        "message" => {
            message(said, event);
            event["content"].as_array().into_iter().flatten().for_each(|block| part(said, block));
            stopped(said, event);
        }
        "content_block_start" => part(said, &event["content_block"]),
        "content_block_delta" => part(said, &event["delta"]),
        "message_delta" => {
            usage(said, &event["usage"]);
            stopped(said, &event["delta"]);
        }
        "message_stop" => said.over = true,
        // `ping`, and what is added later: the documentation asks to pass over unknown events.
        _ => {}
    }
}

fn message(said: &mut Said, message: &Value) {
    said.model = message["model"].as_str().map(str::to_owned);
    usage(said, &message["usage"]);
}

/// A block, its beginning or its continuation: text and thinking, plain or as a delta.
fn part(said: &mut Said, part: &Value) {
    said.text.push_str(part["text"].as_str().unwrap_or_default());
    said.thought.push_str(part["thinking"].as_str().unwrap_or_default());
}

fn stopped(said: &mut Said, from: &Value) {
    if let Some(reason) = from["stop_reason"].as_str() {
        said.finish = Some(reason.to_owned());
    }
}

/// Counts are cumulative; the input's stand in three parts.
fn usage(said: &mut Said, used: &Value) {
    let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let input = parts.iter().filter_map(|key| used[key].as_u64()).reduce(u64::saturating_add);
    said.usage.input_tokens = input.max(said.usage.input_tokens);
    said.usage.output_tokens = used["output_tokens"].as_u64().or(said.usage.output_tokens);
}
