//! Text of models, guards and repositories in Markdown that a forge renders. None of it is trusted.

/// The text on one line, in which nothing is a link, an image, a mention, a reference, HTML or a hidden comment. Of a longer text the first `max`
/// characters are shown.
pub fn inline(text: &str, max: usize) -> String {
    let mut line = String::new();
    let mut words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1).flat_map(str::chars);
    for c in words.by_ref().take(max) {
        match c {
            '<' => line.push_str("&lt;"),
            '>' => line.push_str("&gt;"),
            '&' => line.push_str("&amp;"),
            // Forges make links and notifications of these, whatever is escaped.
            '@' | '#' => {
                line.push(c);
                line.push_str("<!-- -->");
            }
            // `https://…` becomes a link by itself.
            ':' => line.push_str("&#58;"),
            '.' if line.ends_with("www") => line.push_str("&#46;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' | '-' | '+' | '=' => {
                line.push('\\');
                line.push(c);
            }
            c if is_hidden(c) => line.push('\u{fffd}'),
            c => line.push(c),
        }
    }
    if words.next().is_some() {
        line.push('…');
    }
    line
}

/// The text as code within a line, in which nothing has a meaning.
pub fn code(text: &str, max: usize) -> String {
    let plain = |c: char| if is_hidden(c) || c == '\n' || c == '\r' { '\u{fffd}' } else { c };
    let text: String = text.chars().take(max).map(plain).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A bar would end a cell of a table.
    let text = text.replace('|', "\\|");
    match text.is_empty() {
        true => String::new(),
        false => format!("{fence} {text} {fence}").replace("`  ", "` "),
    }
}

/// Control characters, and those that reorder or hide the text around them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{code, inline};

    #[test]
    fn nothing_has_a_meaning() {
        assert_eq!(
            inline("see <!-- guardhost x --> @team #12", 90),
            "see &lt;\\!\\-\\- guardhost x \\-\\-&gt; @<!-- -->team #<!-- -->12"
        );
        assert_eq!(
            inline("![a](https://e.org/x.png)\n\n# b", 90),
            "\\!\\[a\\]\\(https&#58;//e.org/x.png\\) #<!-- --> b"
        );
        assert_eq!(inline("abc", 2), "ab…");
        assert_eq!(code("a`b", 9), "`` a`b ``");
        assert_eq!(code("a\u{202e}\nb", 9), "` a\u{fffd}\u{fffd}b `");
    }
}
