//! Chat completions as OpenAI defined them and LM Studio, Ollama, vLLM, llama.cpp and many gateways speak them.
//!
//! <https://platform.openai.com/docs/api-reference/chat>. A chunk of a stream differs from a whole body in one word: `delta` for
//! `message`. Thinking that a server leaves in the text (`<think>`) is for `repair` to take out.

use serde_json::{Value, json};

use super::said::{End, Said};
use super::{Dialect, Request, error};

pub(crate) const OPENAI: Dialect = Dialect {
    path: "chat/completions",
    headers: &[],
    key: |key| ("authorization", format!("Bearer {key}")),
    body,
    hear,
    end: |word| match word {
        "stop" => End::Whole,
        "length" => End::Cut,
        "content_filter" => End::Declined,
        _ => End::Odd,
    },
};

fn body(request: &Request) -> Value {
    let mut body = json!({
        "messages": [{ "role": "user", "content": request.prompt }],
        "stream": request.stream,
    });
    // Without a model, servers that hold only one take that.
    if let Some(model) = request.model {
        body["model"] = model.into();
    }
    if request.stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

fn hear(said: &mut Said, event: &Value) {
    if error::is_error(event) {
        said.error = Some(error::failure(None, event));
        said.over = true;
        return;
    }
    if let Some(model) = event["model"].as_str().filter(|model| !model.is_empty()) {
        said.model = Some(model.to_owned());
    }
    // The last chunk of a stream may hold nothing else; some servers send running totals with every chunk.
    if let Value::Object(used) = &event["usage"] {
        let count = |key: &str| used.get(key).and_then(Value::as_u64);
        said.usage.input_tokens = count("prompt_tokens").or(said.usage.input_tokens);
        said.usage.output_tokens = count("completion_tokens").or(said.usage.output_tokens);
        said.usage.cost_usd = used.get("cost").and_then(Value::as_f64).or(said.usage.cost_usd);
    }
    let choice = &event["choices"][0];
    let message = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
    write(&mut said.text, &message["content"]);
    // vLLM and Ollama say `reasoning`, LM Studio, llama.cpp and older vLLM `reasoning_content`.
    write(&mut said.thought, &message["reasoning"]);
    write(&mut said.thought, &message["reasoning_content"]);
    if let Some(words) = message["refusal"].as_str() {
        said.refusal.get_or_insert_default().push_str(words);
    }
    if let Some(word) = choice["finish_reason"].as_str().filter(|word| !word.is_empty()) {
        said.finish = Some(word.to_owned());
    }
}

/// A string, or a list of parts of which those of the type `text` count.
fn write(text: &mut String, content: &Value) {
    match content {
        Value::String(words) => text.push_str(words),
        Value::Array(parts) => {
            parts.iter().filter(|part| part["type"] == "text").for_each(|part| write(text, &part["text"]));
        }
        _ => {}
    }
}
