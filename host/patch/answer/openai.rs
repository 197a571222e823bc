//! Answers of OpenAI's chat completions and of its responses.

use serde_json::Value;

use super::{Answer, AnswerEnd, AnsweredCall, only, text_of};

pub(super) fn answer(value: &Value) -> Option<Answer> {
    match (value.get("choices"), value.get("output")) {
        (Some(choices), None) => chat(only(choices)?),
        (None, Some(output)) => response(output.as_array()?, text_of(value, "status")?),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

fn chat(choice: &Value) -> Option<Answer> {
    let message = choice.get("message")?;
    let calls = match message.get("tool_calls") {
        None | Some(Value::Null) => Vec::new(),
        Some(calls) => calls.as_array()?.iter().map(|call| called(call.get("function")?)).collect::<Option<_>>()?,
    };
    let text = match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(content) => content.as_str()?.to_owned(),
    };
    Some(Answer { text, calls, end: AnswerEnd::from_reason(text_of(choice, "finish_reason")?) })
}

fn response(output: &[Value], status: &str) -> Option<Answer> {
    let mut answer = Answer { end: AnswerEnd::from_reason(status), ..Answer::default() };
    for item in output {
        match text_of(item, "type")? {
            "reasoning" => {}
            "function_call" => answer.calls.push(called(item)?),
            "message" => {
                for part in item.get("content")?.as_array()? {
                    let text = part.get("text").filter(|_| text_of(part, "type") == Some("output_text"))?;
                    answer.text.push_str(text.as_str()?);
                }
            }
            _ => return None,
        }
    }
    Some(answer)
}

fn called(call: &Value) -> Option<AnsweredCall> {
    Some(AnsweredCall { name: text_of(call, "name")?.to_owned(), arguments: call.get("arguments")?.clone() })
}
