//! `<tool_call>NAME`, and below it each argument as `<arg_key>…</arg_key>` and `<arg_value>…</arg_value>`, whose text is as it is.
//!
//! Format: the chat template of GLM 4.5.

use serde_json::{Map, Value};

use super::{Read, Unread, call};

const BEGIN: &str = "<tool_call>";
const END: &str = "</tool_call>";
const KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
const VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");

pub(super) fn begins(lines: &[&[u8]], at: usize) -> bool {
    let Some(name) = lines[at].strip_prefix(BEGIN.as_bytes()) else { return false };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let length = name.iter().take_while(|byte| is_name(byte)).count();
    let rest = name[length..].trim_ascii();
    let is_key = |text: &[u8]| text.trim_ascii_start().starts_with(KEY.0.as_bytes());
    length > 0 && (is_key(rest) || rest.is_empty() && lines.get(at + 1).is_some_and(|next| is_key(next)))
}

pub(super) fn read(text: &str) -> Result<Read, Unread> {
    let inner = text.strip_prefix(BEGIN).ok_or(Unread::Cut)?;
    let (name, _) = inner.split_once(KEY.0).ok_or(Unread::Cut)?;
    let mut rest = &inner[name.len()..];
    let mut arguments = Map::new();
    loop {
        let next = rest.trim_start();
        if let Some(behind) = next.strip_prefix(END) {
            return Ok(Read { calls: vec![call(name.trim(), arguments)], end: text.len() - behind.len() });
        }
        let (key, behind) = element(next, KEY)?;
        let (value, behind) = element(behind.trim_start(), VALUE)?;
        if arguments.insert(key.trim().to_owned(), Value::String(value.to_owned())).is_some() {
            return Err(Unread::Malformed("it has one argument twice"));
        }
        rest = behind;
    }
}

/// The text of the element that `text` begins with, and what stands behind it.
fn element<'t>(text: &'t str, (open, close): (&str, &str)) -> Result<(&'t str, &'t str), Unread> {
    match text.strip_prefix(open) {
        Some(inner) => inner.split_once(close).ok_or(Unread::Cut),
        None if text.is_empty() => Err(Unread::Cut),
        None => Err(Unread::Malformed("an argument is not in <arg_key> and <arg_value>")),
    }
}
