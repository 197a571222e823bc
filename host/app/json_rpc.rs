//! What the servers on standard input and output share of JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>).

use serde_json::{Value, json};

/// Bytes of one message. The largest honest one holds a file, or pictures, escaped.
pub const MAX_MESSAGE: u64 = 64 << 20;

/// Bytes of a message that is not kept, in which its id is looked for.
pub const BEGINNING: usize = 4 << 10;

/// The code for text that is no JSON.
pub const PARSE_ERROR: i32 = -32_700;

/// The code for a message that is no request that can be answered now.
#[cfg(any(feature = "lsp", feature = "mcp"))]
pub const INVALID_REQUEST: i32 = -32_600;

/// The answer that a request failed.
pub fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The answer to a message that cannot be read, which begins with `line`.
pub fn unreadable(line: &[u8], why: &str) -> Value {
    error(&readable_id(line), PARSE_ERROR, &format!("the message is no JSON: {why}"))
}

/// The answer to a message of more than [`MAX_MESSAGE`] bytes.
pub fn too_long(beginning: &[u8]) -> Value {
    unreadable(beginning, &format!("a message has at most {} MiB", MAX_MESSAGE >> 20))
}

pub fn as_line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// The first `"id"` of a message, if a number or a plain string follows it; null otherwise, as JSON-RPC has it.
fn readable_id(line: &[u8]) -> Value {
    const KEY: &[u8] = b"\"id\"";
    let beginning = &line[..line.len().min(BEGINNING)];
    let Some(at) = beginning.windows(KEY.len()).position(|window| window == KEY) else { return Value::Null };
    let rest = beginning[at + KEY.len()..].trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start) else { return Value::Null };
    let end = rest.iter().position(|byte| matches!(byte, b',' | b'}')).unwrap_or(rest.len());
    match serde_json::from_slice(rest[..end].trim_ascii()) {
        Ok(id @ (Value::Number(_) | Value::String(_))) => id,
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_found_where_it_can_be_read() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"params":"\ud800"}"#, json!(7)),
            (r#"{"id" : "a-1","x":}"#, json!("a-1")),
            (r#"{"id":{"x":1}}"#, Value::Null),
            ("garbage", Value::Null),
            (r#"{"id""#, Value::Null),
        ] {
            assert_eq!(readable_id(line.as_bytes()), expected, "{line}");
        }
    }
}
