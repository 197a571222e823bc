//! A file's text as values, each with the line that it stands on.

mod json;
mod toml;
mod yaml;

use crate::kind::{Kind, Syntax};
use crate::value::Value;

/// Why there are no values.
#[derive(Debug, PartialEq)]
pub enum Unread {
    /// It does not parse.
    Broken,
    /// It nests too deep, or its aliases stand for more than a tool would take. Says which.
    TooMuch(&'static str),
}

/// How deep values may nest. Real configuration stays below 20; the parsers stop between 80 and 512.
const DEPTH: usize = 100;

/// One value a document; more than one only in YAML.
pub fn read(kind: Kind, syntax: Syntax, text: &str) -> Result<Vec<Value<'_>>, Unread> {
    match syntax {
        Syntax::Jsonc => json::read(text, false, kind).map(|value| vec![value]),
        Syntax::Json5 => json::read(text, true, kind).map(|value| vec![value]),
        Syntax::Toml => toml::read(text, kind).map(|value| vec![value]),
        Syntax::JsonOrYaml if text.trim_start().starts_with(['{', '[', '/']) => {
            json::read(text, false, kind).map(|value| vec![value])
        }
        Syntax::Yaml | Syntax::JsonOrYaml => yaml::read(text, kind),
    }
}

/// Where each line ends, in bytes.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Lines {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line that the byte stands on, from 1.
    fn at(&self, offset: usize) -> u32 {
        u32::try_from(self.0.partition_point(|end| *end < offset)).map_or(u32::MAX, |before| before.saturating_add(1))
    }
}
