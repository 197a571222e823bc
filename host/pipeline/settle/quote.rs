//! Making text of others harmless: it may come from a guard, a model, or a file in the repository.

use std::fmt::Write;

/// One line without characters that steer a terminal or hide from a reader; those stand as `\u{…}`. A tab stays.
pub(super) fn clean(line: &str) -> String {
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

/// Control characters, other ends of line, marks that turn the direction of text, and the invisible letters (zero width, tags,
/// variation selectors) that instructions were smuggled in with.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Every line marked as a quotation. A quotation ends where a line is not marked, and no text can unmark its own lines.
pub(super) fn quoted(text: &str, indent: &str) -> String {
    text.lines().fold(String::new(), |quoted, line| {
        let marked = format!("| {indent}{}", clean(line));
        quoted + marked.trim_end() + "\n"
    })
}

/// At most `limit` bytes, whole characters.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// The same, with a sign that something is missing.
pub(super) fn abridged(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    match cut(text, limit) {
        kept if kept.len() < text.len() => format!("{kept}…").into(),
        all => all.into(),
    }
}
