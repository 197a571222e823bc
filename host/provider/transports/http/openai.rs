//! Chat completions as OpenAI defined them, and as LM Studio, Ollama, vLLM, llama.cpp and many gateways implement them.
//!
//! <https://platform.openai.com/docs/api-reference/chat>. A chunk of a stream differs from a whole body in one key: `delta` for
//! `message`. Reasoning that a server leaves in the text (`<think>`) is removed by `repair`.

use guardhost_core::change::Usage;
use serde_json::{Value, json};

use super::partial::{FinishReason, PartialResponse};
use super::{BodyQuestion, HttpDialect, error};

pub(crate) const OPENAI: HttpDialect = HttpDialect {
    path: "chat/completions",
    headers: &[],
    key: |key| ("authorization", format!("Bearer {key}")),
    body,
    on_event,
    finish: |word| match word {
        "stop" => FinishReason::Complete,
        "length" => FinishReason::Truncated,
        "content_filter" => FinishReason::Declined,
        _ => FinishReason::Unknown,
    },
};

fn body(question: &BodyQuestion) -> Value {
    let mut body = json!({
        "messages": [{ "role": "user", "content": question.prompt }],
        "stream": question.stream,
    });
    // Without a model, servers that have only one use that.
    if let Some(model) = question.model {
        body["model"] = model.into();
    }
    if question.stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

fn on_event(partial: &mut PartialResponse, event: &Value) {
    if error::is_error(event) {
        partial.error = Some(error::from_json(None, event));
        partial.done = true;
        return;
    }
    if let Some(model) = event["model"].as_str().filter(|model| !model.is_empty()) {
        partial.model = Some(model.to_owned());
    }
    // The last chunk of a stream may hold nothing else; some servers send running totals with every chunk.
    if let Value::Object(used) = &event["usage"] {
        let count = |key: &str| used.get(key).and_then(Value::as_u64);
        partial.usage.input_tokens = count("prompt_tokens").or(partial.usage.input_tokens);
        partial.usage.output_tokens = count("completion_tokens").or(partial.usage.output_tokens);
        partial.usage.cost_usd = Usage::cost(used.get("cost").and_then(Value::as_f64)).or(partial.usage.cost_usd);
    }
    // A server that was asked for one answer may send several, each in chunks of its own.
    let first = |choice: &&Value| choice["index"].as_u64().is_none_or(|index| index == 0);
    let choice = event["choices"].as_array().and_then(|choices| choices.iter().find(first)).unwrap_or(&Value::Null);
    let message = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
    append(&mut partial.text, &message["content"]);
    // vLLM and Ollama send `reasoning`; LM Studio, llama.cpp and older vLLM send `reasoning_content`.
    append(&mut partial.reasoning, &message["reasoning"]);
    append(&mut partial.reasoning, &message["reasoning_content"]);
    let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["function"]);
    calls
        .chain(Some(&message["function_call"]).filter(|call| call.is_object()))
        .for_each(|call| partial.tool(&call["name"]));
    if let Some(words) = message["refusal"].as_str() {
        partial.refusal.get_or_insert_default().push_str(words);
    }
    if let Some(word) = choice["finish_reason"].as_str().filter(|word| !word.is_empty()) {
        partial.finish_reason = Some(word.to_owned());
    }
}

/// `content` is a string, or a list of parts of which those of the type `text` count.
fn append(text: &mut String, content: &Value) {
    match content {
        Value::String(string) => text.push_str(string),
        Value::Array(parts) => {
            parts.iter().filter(|part| part["type"] == "text").for_each(|part| append(text, &part["text"]));
        }
        _ => {}
    }
}
