//! Breaks lines that are wider than the terminal.

use unicode_width::UnicodeWidthChar;

/// Columns that are left for text on the narrowest terminal: below that, the terminal breaks the lines.
const MIN_ROOM: usize = 16;

/// Breaks `text`, one line, at its spaces, so that a part has at most `width` columns. A longer word has a part of its own, whole: it may
/// be a path that is copied. Parts after the first begin with `hang`. Escape sequences of colours have no width.
pub fn wrap(text: &str, width: usize, hang: &str) -> Vec<String> {
    if columns(text) <= width || width < columns(hang) + MIN_ROOM {
        return vec![text.to_owned()];
    }
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut used, mut spaces, mut has_word) = (0, 0, false);
    // A sequence among spaces belongs to the word that follows.
    let mut sequence = String::new();
    for (at, word) in text.split(' ').enumerate() {
        spaces += usize::from(at > 0);
        if word.is_empty() {
            continue;
        }
        let wide = columns(word);
        if wide == 0 {
            sequence.push_str(word);
            continue;
        }
        if has_word && used + spaces + wide > width {
            parts.push(std::mem::replace(&mut part, hang.to_owned()));
            (used, spaces) = (columns(hang), 0);
        }
        part.extend(std::iter::repeat_n(' ', spaces));
        part.push_str(&std::mem::take(&mut sequence));
        part.push_str(word);
        used += spaces + wide;
        (spaces, has_word) = (0, true);
    }
    parts.push(part + &sequence);
    parts
}

/// Columns on a terminal.
fn columns(text: &str) -> usize {
    shown(text).map(|c| c.width().unwrap_or(0)).sum()
}

/// Spaces at the beginning, as a terminal shows them.
pub fn leading_spaces(text: &str) -> usize {
    shown(text).take_while(|c| *c == ' ').count()
}

/// Without escape sequences of colours.
fn shown(text: &str) -> impl Iterator<Item = char> {
    let mut in_sequence = false;
    text.chars().filter(move |c| {
        let hidden = in_sequence || *c == '\x1b';
        in_sequence = hidden && *c != 'm';
        !hidden
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        for (text, width, hang, expected) in [
            ("one two three four five", 20, "  ", &["one two three four", "  five"][..]),
            ("  one two three four", 18, "    ", &["  one two three four"]),
            ("  one two three four", 20, "    ", &["  one two three four"]),
            ("a /a/path/that/is/wider/than/the/line b", 18, "", &["a", "/a/path/that/is/wider/than/the/line", "b"]),
            (
                "id   passed   \u{4e16}\u{754c} \u{4e16}\u{754c} x",
                20,
                "",
                &["id   passed   \u{4e16}\u{754c}", "\u{4e16}\u{754c} x"],
            ),
            ("\x1b[31mred and\x1b[0m more of it all", 18, "", &["\x1b[31mred and\x1b[0m more of it", "all"]),
            ("too narrow for any words", 8, "", &["too narrow for any words"]),
        ] {
            assert_eq!(wrap(text, width, hang), expected, "{text:?}");
        }
    }
}
