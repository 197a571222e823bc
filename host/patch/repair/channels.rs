//! The channels of a message, as OpenAI's open models write them and a server that does not parse them leaves them in: of several
//! only the last final one is the answer.
//!
//! Format: `<|start|>assistant<|channel|>final<|message|>…<|end|>` (OpenAI's harmony response format).

use bstr::ByteSlice;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

const CHANNEL: &[u8] = b"<|channel|>";
const MESSAGE: &[u8] = b"<|message|>";
const ENDS: [&[u8]; 4] = [b"<|end|>", b"<|return|>", b"<|call|>", b"<|start|>"];

/// Whether there is nothing but tokens and the name of who speaks next.
fn is_role(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii();
    while let Some(shorter) = ENDS.iter().find_map(|token| rest.strip_prefix(*token)) {
        rest = shorter.trim_ascii_start();
    }
    rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._=-".contains(byte))
}

/// Keeps the text of the last `final` channel, or the last `commentary`, which holds the calls of tools. A reply that has
/// neither is thinking alone, and stays as it is.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let begin = text.trim_ascii_start();
    if !begin.starts_with(CHANNEL) && !begin.starts_with(b"<|start|>") {
        return None;
    }
    let mut kept: Option<(bool, &[u8])> = None;
    let mut rest = text;
    while let Some(at) = rest.find(CHANNEL) {
        watch.visit();
        rest = &rest[at + CHANNEL.len()..];
        let Some(message) = rest.find(MESSAGE) else { break };
        let is_final = rest[..message].trim_ascii().starts_with(b"final");
        let is_commentary = rest[..message].trim_ascii().starts_with(b"commentary");
        rest = &rest[message + MESSAGE.len()..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        if is_final || is_commentary && !kept.is_some_and(|(is_final, _)| is_final) {
            kept = Some((is_final, &rest[..end]));
        }
        rest = &rest[end..];
        // What stands outside of every message may be a part of the answer too.
        let outside = rest.find(CHANNEL).map_or(rest, |next| &rest[..next]);
        if !is_role(outside) {
            return None;
        }
    }
    let (_, answer) = kept?;
    Some((answer.to_vec(), Note::new("channels", "only the final channel of the message is its answer")))
}
