//! Inserts into JSON with comments, and takes out again, byte for byte. Whatever else is in the file stays as it is.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The top of a file.
///
/// # Errors
/// A sentence: it is no JSON, or no object.
pub(super) fn top(text: &str) -> Result<Object<'_>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    match parsed.map_err(|error| format!("it is no JSON: {error}"))?.value {
        Some(Value::Object(object)) => Ok(object),
        Some(_) | None => Err("it holds no JSON object".to_owned()),
    }
}

/// A list of members or of elements.
pub(super) struct Items {
    /// With its brackets.
    all: Range<usize>,
    each: Vec<Range<usize>>,
}

impl From<&Object<'_>> for Items {
    fn from(object: &Object<'_>) -> Self {
        let each = object.properties.iter().map(range).collect();
        Items { all: range(object), each }
    }
}

impl From<&Array<'_>> for Items {
    fn from(array: &Array<'_>) -> Self {
        Items { all: range(array), each: array.elements.iter().map(range).collect() }
    }
}

fn range(node: &impl Ranged) -> Range<usize> {
    let range = node.range();
    range.start..range.end
}

impl Items {
    /// Puts `item` first, indented as the one that was first before.
    pub fn insert(&self, text: &str, item: &str) -> String {
        let at = self.all.start + 1;
        let blank = text[at..].len() - text[at..].trim_start().len();
        let added = match self.each.is_empty() {
            true => format!(" {item}"),
            false => format!("{}{item},", &text[at..at + blank]),
        };
        format!("{}{added}{}", &text[..at], &text[at..])
    }

    /// Takes out the item at `index` with one comma: the reverse of [`Items::insert`] for the first one.
    pub fn without(&self, text: &str, index: usize) -> String {
        let item = &self.each[index];
        let before = match index {
            0 => self.all.start + 1,
            _ => self.each[index - 1].end,
        };
        let cut = match (index, comma_after(text, item.end)) {
            (0, Some(comma)) => before..comma + 1,
            (0, None) => before..item.end,
            // The comma before it goes, and the one after it stays.
            (_, Some(comma)) => before..comma,
            (_, None) => before..item.end,
        };
        format!("{}{}", &text[..cut.start], &text[cut.end..])
    }

    pub fn len(&self) -> usize {
        self.each.len()
    }
}

/// The comma behind an item, if one follows before anything else but blanks and comments.
fn comma_after(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = &rest[blank..];
        at += blank;
        if rest.starts_with("//") {
            at += rest.find('\n')?;
        } else if rest.starts_with("/*") {
            at += rest.find("*/")? + 2;
        } else {
            return rest.starts_with(',').then_some(at);
        }
    }
}
