//! Escaping of text from guards, models and repositories, none of which is trusted. Every format passes such text through
//! one function of this module: [`inline`], [`block`] or [`json`].
//!
//! The promise for the result:
//! - It holds no control character but line feed and tab, so it cannot steer a terminal.
//! - It holds no character that reorders or hides text, so it reads as it is.
//! - `##[`, a command to a GitHub runner anywhere in a line, is broken up. (`::` is a command only at the start of a line;
//!   the formats prevent that.)
//! - [`inline`] gives one line; [`block`] adds no line to those of the text.
//! - [`json`] changes no value: a parser reads the same strings.

use std::fmt::Write as _;
use std::io;

use serde_json::Value;
use serde_json::ser::Formatter;

/// Control characters (C0, DEL, C1), characters that reorder or hide text (bidirectional marks, embeddings, overrides, isolates,
/// invisible operators, tags), line and paragraph separators, and the two non-characters that XML 1.0 forbids. The joiners
/// U+200C and U+200D are allowed: Persian, Indic scripts and emoji need them.
pub fn is_control(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// The text on one line. Any white space becomes one space, and control characters are written as `\u{1b}`. Of a longer text
/// the first `max` characters are shown and the others counted.
pub fn inline(text: &str, max: usize) -> String {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    capped(words.flat_map(str::chars), max)
}

/// The text with its lines: line feeds and tabs are kept, CRLF becomes LF, and the rest is as in [`inline`].
pub fn block(text: &str, max: usize) -> String {
    let unix = text.replace("\r\n", "\n");
    capped(unix.trim_end_matches('\n').chars(), max)
}

fn capped(chars: impl Iterator<Item = char>, max: usize) -> String {
    let mut out = String::new();
    let mut chars = chars;
    for c in chars.by_ref().take(max) {
        if is_control(c) && !matches!(c, '\n' | '\t') {
            let _ = write!(out, "{}", c.escape_unicode());
        } else if c == '[' && out.ends_with("##") {
            // `##[` is a command to a GitHub runner anywhere in a line.
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

/// One line of JSON with control characters escaped as `\u202e`. A parser reads the same value.
pub fn json(value: &Value) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping);
    // Writing a `Value` to memory cannot fail: its keys are strings, and the vector grows.
    let written = serde::Serialize::serialize(value, &mut serializer);
    debug_assert!(written.is_ok());
    out.push(b'\n');
    out
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // A command to a GitHub runner anywhere in a line. The parts of a fragment do not end in `##`.
        let mut parts = fragment.split("##[");
        if let Some(first) = parts.next().filter(|first| first.len() < fragment.len()) {
            self.write_string_fragment(writer, first)?;
            return parts.try_for_each(|part| {
                writer.write_all(b"##\\u005b")?;
                self.write_string_fragment(writer, part)
            });
        }
        if fragment.is_ascii() && !fragment.contains('\x7f') {
            return writer.write_all(fragment.as_bytes());
        }
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_control(*c)) {
            writer.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }
}
