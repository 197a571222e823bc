//! Standard input and output as lines of JSON. A line that is no JSON is answered here with a parse error, as JSON-RPC 2.0 wants
//! (<https://www.jsonrpc.org/specification>, section 5.1): the protocol's library drops it, and the client would wait for ever. So is a
//! request that comes before the client has introduced itself.

use rmcp::transport::stdio;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::mpsc;

use super::handshake::{Handshake, Passage};
use crate::json_rpc::{as_line, unreadable};

/// Bytes of one message. The largest honest one holds a file of the largest size that is written, escaped.
const MESSAGE: u64 = 32 << 20;

/// Bytes on their way between the tasks.
const PIPE: usize = 64 << 10;

/// Messages on their way to standard output.
const WAITING: usize = 16;

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
            Passage::Answered(unreadable(&line, &format!("a message has at most {} MiB", MESSAGE >> 20)))
        } else if line.trim_ascii().is_empty() {
            Passage::HandedOn
        } else {
            match serde_json::from_slice::<Value>(&line) {
                Ok(message) => handshake.passage(&message),
                Err(error) => Passage::Answered(unreadable(&line, &error.to_string())),
            }
        };
        // The last message need not end its line; whoever reads the protocol waits for that.
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
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
