//! Which entry of a file of settings an error is about, and the line to show.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// One step from the root of `guards.toml` to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingStep {
    Key(String),
    /// The key itself, when it is no setting.
    Name(String),
    /// Of a list, counted from 0.
    Index(usize),
    /// The entry of `[[guard]]` with this id. Who knows a guard by its id does not know its number.
    Guard(String),
}

/// From the root. The end of it may be absent in the file: then its nearest parent is meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingPath(pub Vec<SettingStep>);

impl SettingPath {
    pub fn guard(id: &str) -> Self {
        SettingPath(vec![SettingStep::Guard(id.to_owned())])
    }

    pub fn key(mut self, key: &str) -> Self {
        self.0.push(SettingStep::Key(key.to_owned()));
        self
    }

    pub fn name(mut self, name: &str) -> Self {
        self.0.push(SettingStep::Name(name.to_owned()));
        self
    }

    pub fn index(mut self, index: usize) -> Self {
        self.0.push(SettingStep::Index(index));
        self
    }

    pub fn join(mut self, rest: SettingPath) -> Self {
        self.0.extend(rest.0);
        self
    }
}

/// A line with a part marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "frame")]
pub struct Frame {
    /// Of the marked part, from 1.
    pub line: u32,
    /// Its characters, from 1.
    pub column: u32,
    /// Characters of the marked part.
    pub width: u32,
    /// The whole line.
    pub text: String,
}

impl Frame {
    /// Of these bytes of `text`; of what spans several lines, the first.
    pub fn around(text: &str, bytes: std::ops::Range<usize>) -> Self {
        let start = text.floor_char_boundary(bytes.start.min(text.len()));
        let end = text.floor_char_boundary(bytes.end.min(text.len())).max(start);
        let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[begin..];
        let line = rest[..rest.find('\n').unwrap_or(rest.len())].trim_end_matches('\r');
        let marked = text[start..end].split(['\r', '\n']).next().unwrap_or_default();
        let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        Frame {
            line: u32::try_from(text[..start].matches('\n').count()).map_or(u32::MAX, |lines| lines.saturating_add(1)),
            column: count(&text[begin..start]).saturating_add(1),
            width: count(marked).max(1),
            text: line.to_owned(),
        }
    }
}

/// `:line:column`, to follow the name of a file.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ":{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn places_are_counted_in_characters_from_one() {
        let frame = |text, bytes| {
            let Frame { line, column, width, text } = Frame::around(text, bytes);
            (line, column, width, text)
        };
        assert_eq!(frame("", 0..0), (1, 1, 1, String::new()));
        assert_eq!(frame("ä\r\nöü xy = 1\r\n", 9..11), (2, 4, 2, "öü xy = 1".to_owned()));
        assert_eq!(frame("a = [\n1]\n", 4..8), (1, 5, 1, "a = [".to_owned()));
        // Of a place within a character, and of one behind the end.
        assert_eq!(frame("ä = 1", 1..2), (1, 1, 1, "ä = 1".to_owned()));
        assert_eq!(frame("a\n", 9..12), (2, 1, 1, String::new()));
    }
}
