//! Text from guards, models and repositories is not trusted: on its way out it can neither steer a terminal, nor change
//! the direction of reading, nor start a line that a CI runner takes as a command.

use std::fmt::Write as _;
use std::io;

use serde_json::Value;
use serde_json::ser::Formatter;

/// Controls (C0, DEL, C1), what reorders or hides text (bidirectional marks, embeddings, overrides, isolates, invisible
/// operators, tags), line and paragraph separators, and the two non-characters that XML 1.0 forbids. The joiners U+200C and
/// U+200D stay: Persian, Indic scripts and emoji need them.
pub fn is_order(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// On one line: white space of any kind becomes one space, orders stand as `\u{1b}`, and what is beyond `max` characters
/// is counted instead of shown.
pub fn inline(text: &str, max: usize) -> String {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    capped(words.flat_map(str::chars), max)
}

/// With its lines: line feeds and tabs stay, CRLF becomes LF, otherwise as [`inline`].
pub fn block(text: &str, max: usize) -> String {
    let unix = text.replace("\r\n", "\n");
    capped(unix.trim_end_matches('\n').chars(), max)
}

fn capped(chars: impl Iterator<Item = char>, max: usize) -> String {
    let mut out = String::new();
    let mut chars = chars;
    for c in chars.by_ref().take(max) {
        if is_order(c) && !matches!(c, '\n' | '\t') {
            let _ = write!(out, "{}", c.escape_unicode());
        } else if c == '[' && out.ends_with("##") {
            // `##[` is a command to a GitHub runner wherever it stands in a line.
            out.push_str(" [");
        } else {
            out.push(c);
        }
    }
    let more = chars.count();
    if more > 0 {
        let _ = write!(out, "… ({more} more characters)");
    }
    out
}

/// One line of JSON, in which orders are escaped (`\u202e`): the same value to a parser, escape to a terminal.
pub fn json(value: &Value) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping);
    // Writing a `Value` into memory has no way to fail: its keys are strings, and the vector grows.
    let written = serde::Serialize::serialize(value, &mut serializer);
    debug_assert!(written.is_ok());
    out.push(b'\n');
    out
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.is_ascii() && !fragment.contains('\x7f') {
            return writer.write_all(fragment.as_bytes());
        }
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_order(*c)) {
            writer.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }
}
