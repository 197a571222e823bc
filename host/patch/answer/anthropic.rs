//! A message of Anthropic's API.

use serde_json::Value;

use super::{Answer, AnswerEnd, AnsweredCall, text_of};

pub(super) fn answer(value: &Value) -> Option<Answer> {
    let mut answer = Answer { end: AnswerEnd::from_reason(text_of(value, "stop_reason")?), ..Answer::default() };
    for block in value.get("content")?.as_array()? {
        match text_of(block, "type")? {
            "thinking" | "redacted_thinking" => {}
            "text" => answer.text.push_str(text_of(block, "text")?),
            "tool_use" => answer.calls.push(AnsweredCall {
                name: text_of(block, "name")?.to_owned(),
                arguments: block.get("input")?.clone(),
            }),
            _ => return None,
        }
    }
    Some(answer)
}
