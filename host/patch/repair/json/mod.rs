//! Almost valid JSON, where a reply is a JSON list of patches.
//!
//! Repaired: a comma before a closing bracket, unescaped quotes and control characters inside strings, single quotes, names
//! without quotes, comments, Python's `True`, `False`, `None`. Never repaired: valid JSON, JSON that is cut off, and text that
//! can be read in two ways. (The known crates also complete what was cut off.)

mod ends;
mod lenient;

use serde::de::IgnoredAny;
use serde_json::Value;

use ends::Ends;

use super::is_patch_header;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

pub(super) fn repair(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let text = std::str::from_utf8(text).ok()?;
    let mut starts = Starts { text, line_start: 0, line_end: 0 };
    let mut start = starts.next_from(0)?;
    let ends = Ends::new(text);
    loop {
        watch.visit();
        start = match valid_end(text, start, &ends) {
            Some(end) => starts.next_from(end)?,
            None => {
                // What begins inside an unreadable object is a part of it: the search ends here.
                let (value, end) = lenient::read(text, start, &ends, has_no_other_members, watch)?;
                if !is_patch_list(&value) {
                    return None;
                }
                let whole = [&text[..start], &value.to_string(), &text[end..]].concat();
                return Some((whole.into_bytes(), Note::new("json", "the JSON was not valid")));
            }
        };
    }
}

/// The first object that `is_wanted`, in a text that asks for one: valid, or repaired as above.
pub(super) fn wanted(text: &str, is_wanted: fn(&Value) -> bool, watch: &Watch) -> Option<Value> {
    let mut starts = Starts { text, line_start: 0, line_end: 0 };
    let mut start = starts.next_from(0)?;
    let ends = Ends::new(text);
    loop {
        watch.visit();
        if let Some(Ok(value)) = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>().next()
            && is_wanted(&value)
        {
            return Some(value);
        }
        start = match valid_end(text, start, &ends) {
            Some(end) => starts.next_from(end)?,
            None => {
                return lenient::read(text, start, &ends, is_wanted, watch).map(|(value, _)| value).filter(is_wanted);
            }
        };
    }
}

/// The objects and lists at the start of a line, or after another one in it, before any other kind of patch.
struct Starts<'t> {
    text: &'t str,
    line_start: usize,
    /// After its newline.
    line_end: usize,
}

impl Starts<'_> {
    /// Where the next one begins, at or after `from`, which never decreases.
    fn next_from(&mut self, mut from: usize) -> Option<usize> {
        loop {
            while self.line_end <= from {
                if self.line_end == self.text.len() {
                    return None;
                }
                self.line_start = self.line_end;
                self.line_end +=
                    self.text[self.line_start..].find('\n').map_or(self.text.len() - self.line_start, |at| at + 1);
            }
            let rest = &self.text[from.max(self.line_start)..self.line_end];
            let bare = rest.trim_start();
            let inside = bare.trim_start_matches(['{', '[']).trim_start();
            if bare.starts_with(['{', '[']) && (inside.is_empty() || begins_member(inside)) {
                return Some(self.line_end - bare.len());
            }
            if is_patch_header(rest.as_bytes()) {
                return None;
            }
            from = self.line_end;
        }
    }
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
fn valid_end(text: &str, start: usize, ends: &Ends) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let end = start + values.byte_offset();
    // Another object below it is read by itself.
    let rest = &text[end..];
    let blanks = rest.len() - rest.trim_start().len();
    let goes_on = rest[..blanks].contains('\n') && rest[blanks..].starts_with(['{', '[']);
    (goes_on || ends.may_end(end)).then_some(end)
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
