//! `<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME`, and below it the arguments as JSON in a fence; newer models write the name before
//! the separator and the arguments behind it.
//!
//! Format: the chat templates of DeepSeek V3, R1 and V3.1.

use bstr::ByteSlice;
use serde_json::Value;

use super::{Read, Unread, call};

const BEGIN: &str = "<｜tool▁call▁begin｜>";
const SEPARATOR: &str = "<｜tool▁sep｜>";
const END: &str = "<｜tool▁call▁end｜>";
const ALL_BEGIN: &str = "<｜tool▁calls▁begin｜>";
const ALL_END: &str = "<｜tool▁calls▁end｜>";

/// A line of a diff may add such a token; elsewhere prose may stand before it.
pub(super) fn begins(line: &[u8]) -> Option<usize> {
    if matches!(line.first(), Some(b'+' | b'-' | b' ' | b'@' | b'#' | b'/')) {
        return None;
    }
    line.find(ALL_BEGIN).or_else(|| line.find(BEGIN))
}

pub(super) fn read(text: &str) -> Result<Read, Unread> {
    let mut calls = Vec::new();
    let mut rest = text.strip_prefix(ALL_BEGIN).unwrap_or(text);
    while let Some(inner) = rest.trim_start().strip_prefix(BEGIN) {
        let (value, after) = one(inner)?;
        calls.push(value);
        rest = after;
    }
    if calls.is_empty() {
        return Err(Unread::Malformed("a token of calls without a call"));
    }
    rest = rest.trim_start().strip_prefix(ALL_END).unwrap_or(rest);
    Ok(Read { calls, end: text.len() - rest.len() })
}

/// The call, and what stands behind its end.
fn one(text: &str) -> Result<(Value, &str), Unread> {
    let (kind, rest) = text.split_once(SEPARATOR).ok_or(Unread::Cut)?;
    let (name, rest) = match kind.trim() {
        "function" => rest.split_once('\n').ok_or(Unread::Cut)?,
        name => (name, rest),
    };
    let (is_fenced, rest) = match rest.trim_start().strip_prefix("```") {
        Some(fenced) => (true, fenced.split_once('\n').ok_or(Unread::Cut)?.1),
        None => (false, rest),
    };
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let arguments = match values.next() {
        Some(Ok(Value::Object(arguments))) => arguments,
        Some(Err(_)) if rest.contains(END) => return Err(Unread::Malformed("its arguments are not valid JSON")),
        Some(Err(_)) | None => return Err(Unread::Cut),
        Some(Ok(_)) => return Err(Unread::Malformed("its arguments are no object")),
    };
    let mut behind = rest[values.byte_offset()..].trim_start();
    if is_fenced {
        behind = behind.strip_prefix("```").ok_or(Unread::Cut)?.trim_start();
    }
    let behind = behind.strip_prefix(END).ok_or(Unread::Cut)?;
    Ok((call(name.trim(), arguments), behind))
}
