//! What an editor says, read from the bytes between two headers.

use lsp_server::Message;
use serde_json::Value;

use super::frames::LspFrame;
use super::surrogates::without_lone_surrogates;
use crate::json_rpc::{INVALID_REQUEST, error, too_long, unreadable};

/// What is to be done with a message.
#[derive(Debug)]
pub enum ReadMessage {
    Message(Message),
    /// The message cannot be read. The value is the error response for its sender.
    Answered(Value),
    /// It answers something that was never asked, in a way that cannot be read: answers are not answered.
    Dropped,
}

pub fn read(frame: LspFrame) -> ReadMessage {
    let bytes = match frame {
        LspFrame::Whole(bytes) => bytes,
        LspFrame::TooLong(beginning) => return ReadMessage::Answered(too_long(&beginning)),
    };
    let value: Value = match serde_json::from_slice(&without_lone_surrogates(&bytes)) {
        Ok(value) => value,
        Err(why) => return ReadMessage::Answered(unreadable(&bytes, &why.to_string())),
    };
    let is_answer = value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some());
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned().unwrap_or_default();
    match serde_json::from_value(value) {
        Ok(message) => ReadMessage::Message(message),
        Err(_) if is_answer => ReadMessage::Dropped,
        Err(_) => ReadMessage::Answered(error(&id, INVALID_REQUEST, "the message is no request and no notification")),
    }
}
