//! Escapes text from a guard, which reaches terminals, reports and prompts.

use std::fmt::Write;

/// Replaces control characters (except line feed and tab) and characters that change the direction of text by `\u{…}`. Text longer than
/// `max` bytes is cut at a character and ends with `…`.
pub fn escape(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    for c in text.chars() {
        if out.len() + c.len_utf8() > max {
            out.push('…');
            break;
        }
        if needs_escape(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Escapes line feeds and tabs too.
pub fn escape_line(text: &str, max: usize) -> String {
    escape(text, max).replace('\n', "\\n").replace('\t', " ")
}

fn needs_escape(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Lower-case words of letters and digits, joined by single hyphens; at most `max` bytes.
pub fn is_kebab(text: &str, max: usize) -> bool {
    text.len() <= max
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_and_bounded() {
        assert_eq!(escape("a\x1b[31m\u{202e}b\r\n\tc", 100), "a\\u{1b}[31m\\u{202e}b\\u{d}\n\tc");
        assert_eq!(escape("ääää", 5), "ää…");
        assert_eq!(escape_line("a\nb", 100), "a\\nb");
        assert!(is_kebab("code-loss2", 64) && !is_kebab("Code", 64) && !is_kebab("a--b", 64) && !is_kebab("", 64));
    }
}
