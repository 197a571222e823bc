//! YAML 1.2, with what PyYAML lets pass besides: many documents, any tag. The parser keeps its own stack and bounds it.

use std::borrow::Cow;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle};

use super::{Problem, Trouble};
use crate::duplicates::{Duplicate, Keys};

/// The keys that a mapping has twice.
pub fn read(text: &str) -> Result<Vec<Duplicate>, Trouble> {
    let mut reader = Reader { keys: Keys::default(), open: Vec::new() };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => reader.take(event, span.start.line()),
            Err(error) => {
                return Err(match error.kind() {
                    ErrorKind::RecursionLimitExceeded => Trouble::TooDeep,
                    _ => Problem::on(error.marker().line(), error.marker().col() + 1, error.info()).into(),
                });
            }
        }
    }
    let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let found = reader.keys.found().into_iter();
    Ok(found
        .map(|found| Duplicate {
            place: found.place,
            line: line(found.at),
            first: line(found.first),
            key: found.key.into_owned(),
        })
        .collect())
}

struct Reader<'t> {
    keys: Keys<'t>,
    open: Vec<Open>,
}

/// A list, or a map and what comes next in it.
enum Open {
    List,
    Key,
    Value,
}

impl<'t> Reader<'t> {
    fn take(&mut self, event: Event<'t>, line: usize) {
        match event {
            Event::Scalar(text, style, ..) => {
                if matches!(self.open.last(), Some(Open::Key)) {
                    self.keys.key(spelled(text, style), line);
                }
                self.next();
            }
            Event::Alias(_) => self.next(),
            Event::SequenceStart(..) => self.open.push(Open::List),
            Event::MappingStart(..) => {
                self.keys.enter();
                self.open.push(Open::Key);
            }
            Event::SequenceEnd => {
                self.open.pop();
                self.next();
            }
            Event::MappingEnd => {
                self.keys.leave();
                self.open.pop();
                self.next();
            }
            _ => {}
        }
    }

    /// A key or a value is over.
    fn next(&mut self) {
        match self.open.last_mut() {
            Some(open @ Open::Key) => *open = Open::Value,
            Some(open @ Open::Value) => *open = Open::Key,
            Some(Open::List) | None => {}
        }
    }
}

/// `1` and `"1"` are two keys, `a` and `"a"` are one.
fn spelled(text: Cow<'_, str>, style: ScalarStyle) -> Cow<'_, str> {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_a_word = text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if style == ScalarStyle::Plain || is_a_word { text } else { Cow::Owned(format!("\"{text}\"")) }
}
