//! Making text of others harmless: it may come from a guard, a model, or a file in the repository.

use std::fmt::Write;

use super::findings::MESSAGE;
use crate::escape;

/// One line without characters that steer a terminal or hide from a reader; those stand as `\u{…}`. A tab stays.
pub fn clean(line: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    for c in line.chars() {
        if c != '\t' && hides(c) {
            let _ = write!(clean, "{}", c.escape_unicode());
        } else {
            clean.push(c);
        }
    }
    clean
}

/// What [`escape::is_control`] names, and the other invisible letters (joiners, soft hyphens, variation selectors) that instructions were
/// smuggled in with: no code and no message needs them.
fn hides(c: char) -> bool {
    c.is_control()
        || escape::is_control(c)
        || matches!(c,
            '\u{ad}' | '\u{180e}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0080}'..='\u{e0fff}')
}

/// Every line marked as a quotation. A quotation ends where a line is not marked, and no text can unmark its own lines.
pub(super) fn quoted(text: &str, indent: &str) -> String {
    text.lines().fold(String::new(), |quoted, line| {
        let marked = format!("| {indent}{}", clean(line));
        quoted + marked.trim_end() + "\n"
    })
}

/// At most `limit` bytes, whole characters.
pub fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// The same, with a sign that something is missing.
pub(super) fn abridged(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    match cut(text, limit) {
        kept if kept.len() < text.len() => format!("{kept}…").into(),
        all => all.into(),
    }
}

/// One message of a guard in at most [`MESSAGE`] bytes and on one line, for answers that are data and not text.
pub fn summary(text: &str) -> String {
    one_line(&abridged(text, MESSAGE))
}

/// Without line breaks, which would end a name.
pub(super) fn one_line(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
