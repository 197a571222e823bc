//! A call in Python's syntax with literals alone: `<|python_tag|>name(key="…")` of Llama's models, and `default_api.name(key='…')` of
//! Gemini's, often inside of `print(…)`.

use serde_json::{Map, Value};

use super::literal::Literal;
use super::{Read, Unread, call};

const TAG: &str = "<|python_tag|>";
const MODULE: &str = "default_api.";

/// Nothing else has such a name, so that the code of a program is none of these.
pub(super) fn begins(line: &[u8]) -> Option<usize> {
    let is_tag = line.starts_with(TAG.as_bytes());
    let inner = line.strip_prefix(TAG.as_bytes()).unwrap_or(line);
    let bare = inner.strip_prefix(b"print(").unwrap_or(inner);
    let name = bare.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte)).count();
    let is_call = name > 0 && bare.get(name) == Some(&b'(') && bare[name + 1..].first() != Some(&b')');
    (is_call && (is_tag || bare.starts_with(MODULE.as_bytes()))).then_some(0)
}

pub(super) fn read(text: &str) -> Result<Read, Unread> {
    let mut rest = text.strip_prefix(TAG).unwrap_or(text);
    let mut calls = Vec::new();
    loop {
        let (value, behind) = one(rest)?;
        calls.push(value);
        // Several stand in one line with a semicolon between them.
        match behind.trim_start_matches([' ', '\t']).strip_prefix(';') {
            Some(next) if !next.trim_start_matches([' ', '\t']).starts_with(['\n', '<']) => {
                rest = next.trim_start_matches([' ', '\t'])
            }
            Some(next) => return Ok(Read { calls, end: text.len() - next.len() }),
            None => return Ok(Read { calls, end: text.len() - behind.len() }),
        }
    }
}

/// The call, and what stands behind its last bracket.
fn one(text: &str) -> Result<(Value, &str), Unread> {
    let printed = text.strip_prefix("print(");
    let inner = printed.unwrap_or(text);
    let (path, _) = inner.split_once('(').ok_or(Unread::Cut)?;
    let name = path.strip_prefix(MODULE).unwrap_or(path);
    let name = name.strip_suffix(".call").unwrap_or(name);
    let mut reader = Literal::new(inner, path.len() + 1);
    let mut arguments = Map::new();
    while !reader.takes(b')') {
        let key = reader.name().ok_or_else(|| unread(&reader))?.to_owned();
        let value = if reader.takes(b'=') { reader.value() } else { None };
        let value = value.ok_or_else(|| unread(&reader))?;
        if arguments.insert(key, value).is_some() {
            return Err(Unread::Malformed("it has one argument twice"));
        }
        if !reader.takes(b',') && !reader.is_at(b')') {
            return Err(unread(&reader));
        }
    }
    if printed.is_some() && !reader.takes(b')') {
        return Err(unread(&reader));
    }
    Ok((call(name, arguments), &inner[reader.at()..]))
}

fn unread(reader: &Literal) -> Unread {
    match reader.is_at_end() {
        true => Unread::Cut,
        false => Unread::Malformed("its arguments have to be named, and literals of Python"),
    }
}
