//! The events of a stream (the WHATWG's server-sent events), whose pieces are joined.

use serde_json::Value;

use super::{Answer, AnswerEnd, AnsweredCall, only, text_of};

/// A field of an event; a colon alone begins a comment.
const FIELDS: [&str; 5] = ["data:", "event:", "id:", "retry:", ":"];

#[derive(Default)]
struct Joined {
    answer: Answer,
    /// Arguments of each call, and whether there were pieces of them.
    pieces: Vec<String>,
    is_answer: bool,
}

/// The answer of which `text` is the stream and nothing else. One that does not say how it ended was cut off.
pub(super) fn answer(text: &str) -> Option<Answer> {
    let mut joined = Joined::default();
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        if !FIELDS.iter().any(|field| line.starts_with(field)) {
            return None;
        }
        let Some(data) = line.strip_prefix("data:").map(str::trim_start).filter(|data| *data != "[DONE]") else {
            continue;
        };
        let event: Value = serde_json::from_str(data).ok()?;
        match event.get("choices") {
            Some(choices) => joined.delta(choices)?,
            None => joined.block(&event)?,
        }
    }
    let Joined { mut answer, pieces, is_answer } = joined;
    for (call, arguments) in answer.calls.iter_mut().zip(pieces) {
        if !arguments.is_empty() {
            call.arguments = Value::String(arguments);
        }
    }
    if answer.end == AnswerEnd::Unknown {
        answer.end = AnswerEnd::Length;
    }
    is_answer.then_some(answer)
}

impl Joined {
    /// An event of OpenAI's chat completions. The last ones have no choice, but the usage.
    fn delta(&mut self, choices: &Value) -> Option<()> {
        if choices.as_array()?.is_empty() {
            return Some(());
        }
        let choice = only(choices)?;
        let delta = choice.get("delta")?;
        self.is_answer = true;
        self.answer.text.push_str(text_of(delta, "content").unwrap_or_default());
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let function = call.get("function")?;
            let number = usize::try_from(call.get("index")?.as_u64()?).ok()?;
            if number == self.pieces.len() {
                self.begin(text_of(function, "name")?, Value::Null);
            }
            self.pieces.get_mut(number)?.push_str(text_of(function, "arguments").unwrap_or_default());
        }
        self.end(text_of(choice, "finish_reason"))
    }

    /// An event of Anthropic's messages.
    fn block(&mut self, event: &Value) -> Option<()> {
        match text_of(event, "type")? {
            "message_start" | "content_block_stop" | "message_stop" | "ping" => Some(()),
            "content_block_start" => {
                self.is_answer = true;
                let block = event.get("content_block")?;
                match text_of(block, "type")? {
                    "tool_use" => self.begin(text_of(block, "name")?, block.get("input")?.clone()),
                    "text" => self.answer.text.push_str(text_of(block, "text")?),
                    "thinking" | "redacted_thinking" => {}
                    _ => return None,
                }
                Some(())
            }
            "content_block_delta" => {
                let delta = event.get("delta")?;
                match text_of(delta, "type")? {
                    "text_delta" => self.answer.text.push_str(text_of(delta, "text")?),
                    "input_json_delta" => self.pieces.last_mut()?.push_str(text_of(delta, "partial_json")?),
                    "thinking_delta" | "signature_delta" => {}
                    _ => return None,
                }
                self.is_answer = true;
                Some(())
            }
            "message_delta" => self.end(text_of(event.get("delta")?, "stop_reason")),
            _ => None,
        }
    }

    fn begin(&mut self, name: &str, arguments: Value) {
        self.answer.calls.push(AnsweredCall { name: name.to_owned(), arguments });
        self.pieces.push(String::new());
    }

    fn end(&mut self, reason: Option<&str>) -> Option<()> {
        let Some(reason) = reason else { return Some(()) };
        self.answer.end = AnswerEnd::from_reason(reason);
        // A reason that is not known is no end that is.
        (self.answer.end != AnswerEnd::Unknown).then_some(())
    }
}
