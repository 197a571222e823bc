//! The metadata at the top of a document. The parser of Markdown that the guards use takes lines between two `---` for metadata
//! wherever they stand, and so would hide a section between two rules; forges and generators know it at the top only.

use std::borrow::Cow;

/// The text, as long as it was, with white space where its front matter stood.
pub fn blanked(text: &str) -> Cow<'_, str> {
    match end(text) {
        0 => Cow::Borrowed(text),
        end => {
            let blank =
                text.bytes().take(end).map(|byte| if matches!(byte, b'\n' | b'\r') { byte as char } else { ' ' });
            Cow::Owned(blank.chain(text[end..].chars()).collect())
        }
    }
}

/// How many lines the front matter takes up, its rules included.
pub fn lines(text: &str) -> usize {
    text[..end(text)].lines().count()
}

/// Where the line ends that closes the front matter; 0 where there is none. YAML stands between `---` and `---` or `...`, TOML between
/// `+++` and `+++`.
fn end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let closing: &[&str] = match first.strip_prefix('\u{feff}').unwrap_or(first).trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return 0,
    };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if closing.contains(&line.trim_end()) {
            return at;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn only_at_the_top() {
        for (text, expected) in [
            ("---\na: é\n---\n# b\n", "   \n     \n   \n# b\n"),
            ("+++\r\na = 1\r\n+++\r\nb", "   \r\n     \r\n   \r\nb"),
            ("\u{feff}---\na: 1\n...\nb\n", "      \n    \n   \nb\n"),
        ] {
            assert_eq!(blanked(text), expected);
            assert_eq!(blanked(text).len(), text.len());
        }
        for text in ["", "---", "---\na: 1\n", "a\n\n---\nb: 1\n---\n", "----\na\n----\n", "+++\na\n---\n"] {
            assert_eq!(blanked(text), text);
        }
    }
}
