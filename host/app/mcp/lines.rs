//! Standard input and output as lines of JSON. A line that is no JSON is answered here with a parse error, as JSON-RPC 2.0 wants
//! (<https://www.jsonrpc.org/specification>, section 5.1): the protocol's library drops it, and the client would wait for ever. So is a
//! request that comes before the client has introduced itself.

use rmcp::transport::stdio;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::mpsc;

use super::handshake::{Handshake, Passage};

/// Bytes of one message. The largest honest one holds a file of the largest size that is written, escaped.
const MESSAGE: u64 = 32 << 20;

/// Bytes on their way between the tasks.
const PIPE: usize = 64 << 10;

/// Messages on their way to standard output.
const WAITING: usize = 16;

/// JSON-RPC's code for text that is no JSON.
const PARSE_ERROR: i32 = -32_700;

/// What the protocol reads and writes instead of standard input and output. Needs a running tokio runtime. The last value ends when all
/// that was written is on standard output.
pub fn checked_stdio() -> (DuplexStream, DuplexStream, tokio::task::JoinHandle<()>) {
    let (input, output) = stdio();
    let (to_protocol, for_protocol) = tokio::io::duplex(PIPE);
    let (by_protocol, from_protocol) = tokio::io::duplex(PIPE);
    let (say, said) = mpsc::channel(WAITING);
    tokio::spawn(pass_messages(BufReader::new(input), to_protocol, say.clone()));
    tokio::spawn(pass_lines(BufReader::new(from_protocol), say));
    let written = tokio::spawn(write_lines(said, output));
    (for_protocol, by_protocol, written)
}

/// Hands on what the protocol can answer, and answers the rest. Ends with the input, or with the protocol.
async fn pass_messages(
    mut input: BufReader<impl tokio::io::AsyncRead + Unpin>,
    mut protocol: DuplexStream,
    say: mpsc::Sender<Vec<u8>>,
) {
    let mut handshake = Handshake::default();
    loop {
        let mut line = Vec::new();
        match (&mut input).take(MESSAGE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let passage = if !line.ends_with(b"\n") && line.len() as u64 == MESSAGE {
            skip_line(&mut input).await;
            Passage::Answered(parse_error(&line, &format!("a message has at most {} MiB", MESSAGE >> 20)))
        } else if line.trim_ascii().is_empty() {
            Passage::HandedOn
        } else {
            match serde_json::from_slice::<Value>(&line) {
                Ok(message) => handshake.passage(&message),
                Err(error) => Passage::Answered(parse_error(&line, &error.to_string())),
            }
        };
        let handed_on = match passage {
            Passage::Answered(answer) => say.send(as_line(&answer)).await.is_ok(),
            Passage::HandedOn => protocol.write_all(&line).await.is_ok(),
            Passage::Dropped => true,
        };
        if !handed_on {
            return;
        }
    }
}

/// Reads the rest of a line without keeping it.
async fn skip_line(input: &mut BufReader<impl tokio::io::AsyncRead + Unpin>) {
    while let Ok(bytes) = input.fill_buf().await
        && !bytes.is_empty()
    {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return;
        }
    }
}

/// The answer to a message that cannot be read.
fn parse_error(line: &[u8], why: &str) -> Value {
    let error = json!({ "code": PARSE_ERROR, "message": format!("the message is no JSON: {why}") });
    json!({ "jsonrpc": "2.0", "id": id(line), "error": error })
}

fn as_line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// The first `"id"` of the message, if a number or a plain string follows it; null otherwise, as JSON-RPC has it.
fn id(line: &[u8]) -> Value {
    const KEY: &[u8] = b"\"id\"";
    let beginning = &line[..line.len().min(4096)];
    let Some(at) = beginning.windows(KEY.len()).position(|window| window == KEY) else { return Value::Null };
    let rest = beginning[at + KEY.len()..].trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start) else { return Value::Null };
    let end = rest.iter().position(|byte| matches!(byte, b',' | b'}')).unwrap_or(rest.len());
    match serde_json::from_slice(rest[..end].trim_ascii()) {
        Ok(id @ (Value::Number(_) | Value::String(_))) => id,
        _ => Value::Null,
    }
}

/// Hands on what the protocol says, line by line, so that no answer is mixed into another.
async fn pass_lines(mut protocol: BufReader<DuplexStream>, say: mpsc::Sender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        match protocol.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if say.send(line).await.is_err() {
            return;
        }
    }
}

async fn write_lines(mut said: mpsc::Receiver<Vec<u8>>, mut output: impl tokio::io::AsyncWrite + Unpin) {
    while let Some(line) = said.recv().await {
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return;
        }
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
            assert_eq!(id(line.as_bytes()), expected, "{line}");
        }
    }
}
