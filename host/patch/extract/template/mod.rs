//! Calls of tools as the chat templates of open models write them, where a server without a parser for them leaves them in the text.
//!
//! Each reader gives a call as the object that the reader of JSON takes, a name and its arguments, so that what a tool does is known
//! in one place.

mod deepseek;
mod glm;
mod literal;
mod python;

use serde_json::{Map, Value, json};

use super::lines::{Lines, joined, malformed, truncated};
use crate::end_tokens::END_TOKENS;
use guardhost_core::change::NoPatch;

pub(super) use literal::Literal;

/// What a reader made of a text.
struct Read {
    calls: Vec<Value>,
    /// The byte behind the last call.
    end: usize,
}

/// Why a text that begins as calls do cannot be read.
enum Unread {
    /// It ends before the call does.
    Cut,
    Malformed(&'static str),
}

type Reader = fn(&str) -> Result<Read, Unread>;

/// The byte of the line at which calls begin, and what reads them.
fn reader(lines: &[&[u8]], at: usize) -> Option<(usize, Reader)> {
    let line = lines.get(at)?;
    if let Some(column) = deepseek::begins(line) {
        return Some((column, deepseek::read));
    }
    if glm::begins(lines, at) {
        return Some((0, glm::read));
    }
    python::begins(line).map(|column| (column, python::read as Reader))
}

/// Whether calls begin in the line.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> bool {
    reader(lines, at).is_some()
}

/// The calls that begin in the line, and the line after them. Behind the last one may stand what ends a message.
pub(super) fn parse(lines: &Lines, at: usize) -> Result<(Vec<Value>, usize), NoPatch> {
    let Some((column, read)) = reader(lines, at) else { return Ok((Vec::new(), at + 1)) };
    let text = joined(&lines[at..]);
    lines.spend(text.len());
    let text = std::str::from_utf8(&text[column..]).map_err(|_| malformed(at, "the call is not UTF-8"))?;
    let Read { calls, end } = read(text).map_err(|why| match why {
        Unread::Cut => truncated(at, "it ends inside the call of a tool"),
        Unread::Malformed(why) => malformed(at, format_args!("the call of a tool cannot be read: {why}")),
    })?;
    let last = at + text[..end].matches('\n').count();
    let mut rest = text[end..].lines().next().unwrap_or_default().trim();
    while let Some(shorter) = END_TOKENS.iter().find_map(|token| rest.strip_prefix(token)) {
        rest = shorter.trim_start();
    }
    if !rest.is_empty() {
        return Err(malformed(last, "there is more in the line behind this call; put it on a line of its own"));
    }
    Ok((calls, last + 1))
}

/// A call as the reader of JSON takes it.
fn call(name: &str, arguments: Map<String, Value>) -> Value {
    json!({ "name": name, "arguments": arguments })
}
