//! The part of Python's lexical structure that a `setup.py` needs: names, literal strings and punctuation, without comments.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PythonToken {
    Name(String),
    /// A string without interpolation.
    Text(String),
    /// An f-string or bytes, whose value is not read.
    Opaque,
    Sign(char),
}

pub fn tokens(text: &str) -> Vec<PythonToken> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '#' {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some((token, after)) = string(rest) {
            // Adjacent literals are concatenated.
            match (tokens.last_mut(), token) {
                (Some(PythonToken::Text(last)), PythonToken::Text(text)) => last.push_str(&text),
                (_, token) => tokens.push(token),
            }
            rest = after;
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            tokens.push(PythonToken::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                tokens.push(PythonToken::Sign(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// A string literal at the start, with its prefix, and the text after it. A literal that is not closed is opaque and ends where Python
/// would report it, so that each character is read once.
fn string(text: &str) -> Option<(PythonToken, &str)> {
    let (quote, _) = text.char_indices().take(3).find(|(_, c)| matches!(c, '"' | '\''))?;
    let prefix = text[..quote].to_ascii_lowercase();
    if !matches!(prefix.as_str(), "" | "r" | "u" | "b" | "f" | "br" | "rb" | "fr" | "rf") {
        return None;
    }
    let body = &text[quote..];
    let mark = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|mark| body.starts_with(mark))?;
    let mut content = String::new();
    let mut rest = &body[mark.len()..];
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(mark) {
            let opaque = prefix.contains(['f', 'b']);
            return Some((if opaque { PythonToken::Opaque } else { PythonToken::Text(content) }, after));
        }
        if c == '\n' && mark.len() == 1 {
            break;
        }
        rest = &rest[c.len_utf8()..];
        if c == '\\' {
            // In a requirement the only escape is a line continuation.
            if let Some(escaped) = rest.chars().next() {
                rest = &rest[escaped.len_utf8()..];
                content.extend((escaped != '\n').then_some(escaped));
            }
        } else {
            content.push(c);
        }
    }
    Some((PythonToken::Opaque, rest))
}
