//! The kinds of damage that a program does to a whole text, and how each is undone.

use bstr::ByteSlice;
use encoding_rs::WINDOWS_1252;
use unicode_normalization::UnicodeNormalization;

use super::unmeant;
use super::written::Written;
use crate::{html, quoted_printable};

pub(super) struct Damage {
    /// Of its note.
    pub code: &'static str,
    pub words: &'static str,
    /// The line as it was; None if the damage leaves no such line.
    pub undo: fn(&[u8]) -> Option<Vec<u8>>,
    /// Whether the text has a character that the damage would have replaced.
    pub is_left: fn(&[u8]) -> bool,
    /// Whether nobody writes a line so in such a file: then it is damaged though no old line shows it.
    pub is_unmeant: fn(&[u8], Written) -> bool,
    /// Whether a line of the file has the characters though they may be meant: then others may be meant too.
    pub is_kept: fn(&[u8]) -> bool,
    /// New files of the same patch are damaged alike. Without lines that a file must hold, the other kinds may be meant in them.
    pub is_of_files: bool,
}

pub(super) const DAMAGES: [Damage; 16] = [
    Damage {
        code: "html-escaped",
        words: "the whole patch was escaped for HTML, as the files show",
        undo: |text| Some(html::decode(text).0),
        is_left: |text| text.find_byteset(b"<>").is_some(),
        is_unmeant: unmeant::has_entity,
        is_kept: unmeant::has_any_entity,
        is_of_files: true,
    },
    Damage {
        code: "markdown-escaped",
        words: "the whole patch was escaped for Markdown, as the files show",
        undo: |text| Some(unescaped(text)),
        is_left: |text| has_bare(text, b"_*"),
        is_unmeant: |text, written| {
            written != Written::Prose && has_escaped_word(text) && !has_bare(text, b"_")
                || unmeant::has_escaped_mark(text, written)
        },
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "unicode-escaped",
        words: "characters of the whole patch were written as \\u003c, as the files show",
        undo: |text| Some(replaced(text, &UNICODE)),
        is_left: |text| text.find_byteset(b"<>").is_some(),
        is_unmeant: |text, written| is_escape_outside_quotes(text, written == Written::Prose),
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "no-break-spaces",
        words: "the blanks of the whole patch were no-break spaces, as the files show",
        undo: |text| Some(replaced(text, &SPACES)),
        is_left: |text| text.starts_with(b" "),
        is_unmeant: |text, _| has_no_break_margin(text),
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "typographic-quotes",
        words: "the quotation marks of the whole patch were typographic, as the files show",
        undo: |text| Some(replaced(text, &QUOTES)),
        is_left: |text| text.find_byteset(b"\"'").is_some(),
        is_unmeant: unmeant::has_delimiting_quotes,
        is_kept: |text| QUOTES.iter().any(|(mark, _)| text.contains_str(mark)),
        is_of_files: false,
    },
    Damage {
        code: "dashes",
        words: "two hyphens of the whole patch were one dash, as the files show",
        undo: |text| Some(replaced(text, &DASHES)),
        is_left: |text| text.contains_str("--"),
        is_unmeant: unmeant::has_dash_of_option,
        is_kept: |text| text.contains_str("—"),
        is_of_files: false,
    },
    Damage {
        code: "foreign-letters",
        words: "letters that the files do not have stood in their code",
        undo: |_| None,
        is_left: |_| true,
        is_unmeant: unmeant::has_foreign_letters,
        is_kept: unmeant::has_any_letters,
        is_of_files: false,
    },
    Damage {
        code: "undecoded",
        words: "characters of the whole patch were lost",
        undo: |_| None,
        is_left: |_| true,
        is_unmeant: |text, _| !text.is_ascii() && text.contains_str("\u{fffd}"),
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "masked",
        words: "a part of the patch was masked as a secret is",
        undo: |_| None,
        is_left: |_| true,
        is_unmeant: unmeant::has_mask,
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "json-escaped",
        words: "the whole patch was escaped as a string of JSON is, as the files show",
        undo: |_| None,
        is_left: |_| true,
        is_unmeant: unmeant::has_escaped_text,
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "quoted-printable",
        words: "the whole patch was encoded as quoted-printable, as the files show",
        undo: |text| quoted_printable::decoded(text),
        is_left: |text| quoted_printable::has_bare_sign(text),
        is_unmeant: |_, _| false,
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "carriage-returns",
        words: "every line of the patch ended in a carriage return that was written as ^M",
        undo: |text| text.strip_suffix(b"^M").map(<[u8]>::to_vec),
        is_left: |_| false,
        is_unmeant: |text, written| written != Written::Prose && text.ends_with(b"^M"),
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "byte-tokens",
        words: "bytes of the whole patch were written as tokens of a model, as the files show",
        undo: |text| Some(replaced(text, &BYTES)),
        is_left: |text| text.starts_with(b"\t"),
        is_unmeant: |text, _| text.starts_with(b"<0x09>"),
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "decomposed",
        words: "letters of the whole patch were parted from their accents, as the files show",
        undo: |text| Some(str::from_utf8(text).ok()?.nfc().collect::<String>().into_bytes()),
        is_left: |_| false,
        is_unmeant: |_, _| false,
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "wrong-encoding",
        words: "the whole patch was read in another encoding than it was written in, as the files show",
        undo: reread,
        is_left: |_| false,
        is_unmeant: |_, _| false,
        is_kept: |_| false,
        is_of_files: false,
    },
    Damage {
        code: "line-numbers",
        words: "every line of the patch had its number before it, as the files show",
        undo: unnumbered,
        is_left: |_| false,
        is_unmeant: |_, _| false,
        is_kept: |_| false,
        is_of_files: false,
    },
];

const UNICODE: [(&str, &str); 6] =
    [("\\u003c", "<"), ("\\u003e", ">"), ("\\u0026", "&"), ("\\u0027", "'"), ("\\u003d", "="), ("\\u0022", "\"")];

const BYTES: [(&str, &str); 2] = [("<0x09>", "\t"), ("<0x20>", " ")];

const SPACES: [(&str, &str); 2] = [("&nbsp;", " "), ("\u{a0}", " ")];

const DASHES: [(&str, &str); 1] = [("—", "--")];

const QUOTES: [(&str, &str); 4] = [("“", "\""), ("”", "\""), ("‘", "'"), ("’", "'")];

fn replaced(text: &[u8], pairs: &[(&str, &str)]) -> Vec<u8> {
    // Most lines have none of the marks, and a look for the first byte of one costs far less than a search.
    pairs.iter().fold(text.to_vec(), |text, (damaged, plain)| match text.contains(&damaged.as_bytes()[0]) {
        true => text.replace(damaged, plain),
        false => text,
    })
}

/// UTF-8 that was read as Windows-1252 and written as UTF-8 again, as it was. None where a letter is none of that encoding, or the
/// bytes are no UTF-8.
fn reread(text: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok()?;
    let (bytes, _, is_lossy) = WINDOWS_1252.encode(text);
    (!is_lossy && str::from_utf8(&bytes).is_ok()).then(|| bytes.into_owned())
}

/// Whether `\u003c` stands where no string can be: `a \u003c b`. In prose backticks quote, and slashes do not.
fn is_escape_outside_quotes(text: &[u8], is_prose: bool) -> bool {
    let quotes: &[u8] = if is_prose { b"\"" } else { b"\"'`/" };
    let marks = UNICODE.iter().filter(|_| text.contains(&b'\\'));
    marks.flat_map(|(mark, _)| text.find_iter(mark)).any(|at| !unmeant::is_quoted(text, at, quotes))
}

/// Whether a no-break space is among the blanks before the text, or beside another blank in it.
fn has_no_break_margin(text: &[u8]) -> bool {
    let text = text.to_str_lossy();
    let is_beside = |pair: &[char]| pair.contains(&'\u{a0}') && pair.iter().all(|c| c.is_whitespace());
    text.starts_with('\u{a0}') || text.chars().collect::<Vec<_>>().windows(2).any(is_beside)
}

/// Characters that Markdown gives a meaning, and that programs escape for it.
const MARKS: &[u8] = b"_*[]#<>`~|";

fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().enumerate() {
        let is_escape = *byte == b'\\' && text.get(at + 1).is_some_and(|next| MARKS.contains(next));
        if !is_escape {
            plain.push(*byte);
        }
    }
    plain
}

/// Whether one of the marks has no backslash before it.
fn has_bare(text: &[u8], marks: &[u8]) -> bool {
    text.iter().enumerate().any(|(at, byte)| marks.contains(byte) && (at == 0 || text[at - 1] != b'\\'))
}

/// Whether a backslash stands before the underscore of a word: `a\_b`. In prose it may be meant.
fn has_escaped_word(text: &[u8]) -> bool {
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    text.find_iter(b"\\_").any(|at| is_letter(at.checked_sub(1)) && is_letter(Some(at + 2)))
}

/// `12 | text`, `12: text`, `[12] text`: the text, with one blank after the mark taken off.
fn unnumbered(line: &[u8]) -> Option<Vec<u8>> {
    if line.trim_ascii().is_empty() {
        return Some(line.to_vec());
    }
    let text = line.trim_ascii_start();
    let bare = text.strip_prefix(b"[").or(text.strip_prefix(b"L")).unwrap_or(text);
    let digits = bare.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = bare[digits..].trim_ascii_start().strip_prefix(b"|").or(bare[digits..].strip_prefix(b":"));
    let rest = rest.or_else(|| bare[digits..].strip_prefix(b"]")).filter(|_| digits > 0)?;
    Some(rest.strip_prefix(b" ").unwrap_or(rest).to_vec())
}
