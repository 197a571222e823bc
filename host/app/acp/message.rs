//! Reads a message, and refuses what two readers could read in two ways: a name that is there twice, or that differs from one of the
//! protocol by letter case alone, which some decoders ignore; and a message that is a request and an answer.

use std::collections::HashSet;
use std::fmt;

use guardhost_report::escape::inline;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::lines::StdioLine;
use crate::json_rpc::{too_long, unreadable};

/// What says which kind of message it is.
const ENVELOPE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// What is read of an answer.
const RESULT: [&str; 3] = ["protocolVersion", "sessionId", "stopReason"];

/// What is read of a request, at any depth.
const PARAMS: [&str; 19] = [
    "args",
    "command",
    "content",
    "cwd",
    "env",
    "name",
    "newText",
    "oldText",
    "path",
    "protocolVersion",
    "rawInput",
    "rawOutput",
    "sessionId",
    "sessionUpdate",
    "toolCall",
    "toolCallId",
    "type",
    "update",
    "value",
];

/// Members in which whoever sends them may write what it likes: no decoder has a type for their content.
const FREE: [&str; 3] = ["_meta", "rawInput", "rawOutput"];

/// Characters of a name that a refusal shows.
const SHOWN: usize = 80;

/// The line, and the message in it, which is None for a blank line; or the answer to one that cannot be read.
pub fn read(line: StdioLine) -> Result<(Vec<u8>, Option<Value>), Value> {
    match line {
        StdioLine::TooLong(line) => Err(too_long(&line)),
        StdioLine::Whole(line) if line.trim_ascii().is_empty() => Ok((line, None)),
        StdioLine::Whole(line) => match parse(&line) {
            Ok(message) => Ok((line, Some(Value::Object(message)))),
            Err(why) => Err(unreadable(&line, &why)),
        },
    }
}

fn parse(line: &[u8]) -> Result<Map<String, Value>, String> {
    let Unambiguous(message) = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let Value::Object(message) = message else { return Err("it is no object".to_owned()) };
    check_names(&message, &ENVELOPE)?;
    match (message.get("method"), message.get("params")) {
        (Some(Value::String(_)), _) if message.contains_key("result") || message.contains_key("error") => {
            return Err("it is a request and an answer".to_owned());
        }
        // Who extends the protocol chooses the names.
        (Some(Value::String(method)), Some(params)) if !method.starts_with('_') => check_params(params)?,
        (Some(Value::String(_)) | None, _) => {}
        (Some(_), _) => return Err("its `method` is no string".to_owned()),
    }
    message.get("result").and_then(Value::as_object).map_or(Ok(()), |result| check_names(result, &RESULT))?;
    Ok(message)
}

fn check_params(value: &Value) -> Result<(), String> {
    match value {
        Value::Array(items) => items.iter().try_for_each(check_params),
        Value::Object(members) => {
            check_names(members, &PARAMS)?;
            let typed = members.iter().filter(|(name, _)| !FREE.contains(&name.as_str()));
            typed.map(|(_, value)| value).try_for_each(check_params)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn check_names(members: &Map<String, Value>, read: &[&str]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for name in members.keys() {
        // Upper case first: `ſ` and the Kelvin sign are letters of ASCII to decoders that fold.
        let folded = name.to_uppercase().to_lowercase();
        if let Some(meant) = read.iter().find(|meant| *meant != name && meant.eq_ignore_ascii_case(&folded)) {
            return Err(format!("it has `{}` in the place of `{meant}`", inline(name, SHOWN)));
        }
        if !seen.insert(folded) {
            return Err(format!("`{}` is there twice, but for letter case", inline(name, SHOWN)));
        }
    }
    Ok(())
}

/// A value in which no object has a member twice.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(UnambiguousVisitor).map(Unambiguous)
    }
}

struct UnambiguousVisitor;

impl<'de> Visitor<'de> for UnambiguousVisitor {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Unambiguous(item)) = from.next_element()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, Unambiguous(value))) = from.next_entry::<String, _>()? {
            if members.contains_key(&name) {
                return Err(A::Error::custom(format!("`{}` is there twice", inline(&name, SHOWN))));
            }
            members.insert(name, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_readers_could_read_in_two_ways_is_refused() {
        for line in [
            r#"{"method":"a","method":"b"}"#,
            r#"{"method":"_a","params":{"b":[{"c":1,"\u0063":2}]}}"#,
            r#"{"method":"_a","Method":"b"}"#,
            r#"{"Method":"a"}"#,
            r#"{"re\u017fult":{},"id":3}"#,
            r#"{"id":3,"result":{"StopReason":"cancelled"}}"#,
            r#"{"method":"a","params":{"x":[{"Path":"b"}]}}"#,
            r#"{"method":"a","params":{"b":1,"B":2}}"#,
            r#"{"method":"a","params":{"rawInput":{"command":"a","command":"b"}}}"#,
            r#"{"id":3,"method":"a","result":null}"#,
            r#"{"id":3,"method":"a","error":{}}"#,
            r#"{"id":3,"method":null,"result":{}}"#,
            "[{}]",
        ] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
        for line in [
            r#"{"method":"_a","params":{"Path":"b","path":"c","x":-1,"y":1.5,"z":null}}"#,
            r#"{"method":"a","params":{"rawInput":{"Path":"b","PATH":"c"},"rawOutput":{"A":1,"a":true}}}"#,
            r#"{"id":3,"result":{"a":{"Path":1}}}"#,
        ] {
            let read = parse(line.as_bytes()).map(|message| Value::Object(message).to_string());
            assert_eq!(read.as_deref(), Ok(line));
        }
    }
}
