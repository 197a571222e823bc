//! Almost valid JSON, where a reply is a JSON list of patches.
//!
//! Repaired: a comma before a closing bracket, unescaped quotes and control characters inside strings, single quotes, names
//! without quotes, comments, Python's `True`, `False`, `None`. Never repaired: valid JSON, JSON that is cut off, and text that
//! can be read in two ways. (The known crates also complete what was cut off.)

mod lenient;

use serde_json::Value;

use super::is_patch_header;
use guardhost_core::change::Note;

pub(super) fn repair(text: &[u8]) -> Option<(Vec<u8>, Note)> {
    let text = std::str::from_utf8(text).ok()?;
    let mut from = 0;
    while let Some(start) = next_start(text, from) {
        match valid_end(&text[start..]) {
            Some(end) => from = start + end,
            None => {
                // What begins inside an unreadable object is a part of it: the search ends here.
                let (value, end) = lenient::read(&text[start..], has_no_other_members)?;
                if !is_patch_list(&value) {
                    return None;
                }
                let whole = [&text[..start], &value.to_string(), &text[start + end..]].concat();
                return Some((whole.into_bytes(), Note::new("json", "the JSON was not valid")));
            }
        }
    }
    None
}

/// Where the next object or list begins at the start of a line, before any other kind of patch.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let bare = line.trim_start();
        let inside = bare.trim_start_matches(['{', '[']).trim_start();
        if bare.starts_with(['{', '[']) && (inside.is_empty() || begins_member(inside)) {
            return Some(at + line.len() - bare.len());
        }
        if is_patch_header(line.as_bytes()) {
            return None;
        }
        at += line.len();
    }
    None
}

/// Whether `inside` begins as the inside of an object may: with a name, in quotes or not, or a comment.
fn begins_member(inside: &str) -> bool {
    inside.starts_with(['"', '\'', '{', '/', '#'])
        || inside
            .split(':')
            .next()
            .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// The end of a valid value, when nothing after it shows that a string in it ended too early.
fn valid_end(text: &str) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    lenient::may_end(&text[end..]).then_some(end)
}

fn is_patch_list(value: &Value) -> bool {
    entries(value).is_some_and(|entries| entries.iter().all(|entry| entry.get("path").is_some()))
}

fn has_no_other_members(value: &Value) -> bool {
    let known = |entry: &Value| {
        entry
            .as_object()
            .is_some_and(|entry| entry.keys().all(|name| ["action", "path", "content"].contains(&name.as_str())))
    };
    entries(value).is_some_and(|entries| entries.iter().all(known))
}

fn entries(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(entries) => Some(entries),
        Value::Object(object) => match object.get("patches") {
            Some(patches) => patches.as_array().map(Vec::as_slice),
            None => Some(std::slice::from_ref(value)),
        },
        _ => None,
    }
}
