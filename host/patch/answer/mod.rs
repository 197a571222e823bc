//! The answer of an API as a whole, where somebody hands on what a server sent and not what a model said: one object, or the events of
//! a stream.

mod anthropic;
mod openai;
mod stream;

use serde_json::Value;

/// What a model said.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answer {
    text: String,
    calls: Vec<AnsweredCall>,
    end: AnswerEnd,
}

/// A call of a tool, whose arguments may be an object or its text.
#[derive(Debug, Default, PartialEq, Eq)]
struct AnsweredCall {
    name: String,
    arguments: Value,
}

/// How the answer ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum AnswerEnd {
    /// By itself.
    Done,
    /// Cut off by a limit of the model or of its caller.
    Length,
    /// In a way that is not known.
    #[default]
    Unknown,
}

impl AnswerEnd {
    /// By the word that an API gives as the reason. OpenAI: `finish_reason`, and `status` of a response; Anthropic: `stop_reason`.
    fn from_reason(reason: &str) -> Self {
        match reason {
            "stop" | "tool_calls" | "function_call" | "end_turn" | "tool_use" | "completed" => AnswerEnd::Done,
            "length" | "max_tokens" | "max_output_tokens" | "incomplete" => AnswerEnd::Length,
            _ => AnswerEnd::Unknown,
        }
    }
}

/// What a text is as an answer of an API.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ApiAnswer {
    /// What the model said, its calls below the text with a line for each. It ended by itself.
    Complete(String),
    /// It was cut off.
    Cut,
}

/// The answer that `text` is; None where it is none, or one that says more than one thing.
pub(crate) fn read(text: &[u8]) -> Option<ApiAnswer> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let answer = match text.as_bytes().first()? {
        b'{' => {
            let value: Value = serde_json::from_str(text).ok()?;
            openai::answer(&value).or_else(|| anthropic::answer(&value))?
        }
        b'd' | b'e' | b':' => stream::answer(text)?,
        _ => return None,
    };
    match answer.end {
        AnswerEnd::Done => Some(ApiAnswer::Complete(said(answer))),
        AnswerEnd::Length => Some(ApiAnswer::Cut),
        AnswerEnd::Unknown => None,
    }
}

fn said(answer: Answer) -> String {
    let Answer { mut text, calls, .. } = answer;
    for AnsweredCall { name, arguments } in calls {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        // Members have an order in the text alone.
        text.push_str(&format!("{{\"name\":{},\"arguments\":{arguments}}}\n", Value::String(name)));
    }
    text
}

/// The only entry of a list.
fn only(list: &Value) -> Option<&Value> {
    match list.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::{ApiAnswer, read};

    fn complete(text: &str) -> Option<ApiAnswer> {
        Some(ApiAnswer::Complete(text.to_owned()))
    }

    #[test]
    fn objects() {
        let chat = r#"{"choices": [{"message": {"role": "assistant", "content": "Hi\n"}, "finish_reason": "stop"}]}"#;
        assert_eq!(read(chat.as_bytes()), complete("Hi\n"));
        assert_eq!(read(chat.replace("stop", "length").as_bytes()), Some(ApiAnswer::Cut));
        assert_eq!(read(chat.replace("stop", "content_filter").as_bytes()), None);
        let message = r#"{"type": "message", "stop_reason": "tool_use", "content": [{"type": "thinking", "thinking": "no"},
            {"type": "text", "text": "So:"}, {"type": "tool_use", "name": "Edit", "input": {"file_path": "a"}}]}"#;
        assert_eq!(
            read(message.as_bytes()),
            complete("So:\n{\"name\":\"Edit\",\"arguments\":{\"file_path\":\"a\"}}\n")
        );
        let two =
            r#"{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}, {"message": {"content": "b"}}]}"#;
        assert_eq!(read(two.as_bytes()), None);
    }

    #[test]
    fn streams() {
        let chat = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n\
                    data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n";
        assert_eq!(read(chat.as_bytes()), complete("ab"));
        // A stream without its last events was cut off on its way.
        let cut = chat.lines().take(3).collect::<Vec<_>>().join("\n");
        assert_eq!(read(cut.as_bytes()), Some(ApiAnswer::Cut));
        assert_eq!(read(b"data: {\"rows\": 3}\n"), None);
        assert_eq!(read(b"date: now\ndata: {}"), None);
    }
}
