//! How comments and strings of a language look, and where they stand in a text: as much as colours need, and who asks what a change brings to
//! life. A reader of the language knows better, and only reads whole texts that have no mistake.

use std::ops::Range;

/// Of one language. Signs that are longer come first where one begins with another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Syntax {
    pub line_comments: Vec<String>,
    /// What opens and what closes one.
    pub block_comments: Vec<(String, String)>,
    /// What opens, and closes, a string.
    pub strings: Vec<String>,
}

/// Who knows the languages of files.
pub trait SyntaxByPath: Sync {
    /// By the file's name; None where no language claims it.
    fn syntax(&self, path: &str) -> Option<Syntax>;
}

/// What a part of a text is. The rest is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxPart {
    Comment,
    Quoted,
}

/// Parts in bytes, in order.
pub type SyntaxParts = Vec<(Range<usize>, SyntaxPart)>;

impl Syntax {
    /// The comments and strings of a text, in order. What does not end is none: a part of a file may begin within a string, whose end then looks
    /// like a beginning.
    pub fn parts(&self, text: &str) -> SyntaxParts {
        let comments = self.line_comments.iter().map(|sign| (sign.as_str(), SyntaxPart::Comment, MarkEnd::WithLine));
        let blocks =
            self.block_comments.iter().map(|(open, close)| (open.as_str(), SyntaxPart::Comment, MarkEnd::With(close)));
        let strings = self.strings.iter().map(|sign| (sign.as_str(), SyntaxPart::Quoted, MarkEnd::Quote(sign)));
        let mut kinds: Vec<_> = comments.chain(blocks).chain(strings).filter(|(sign, ..)| !sign.is_empty()).collect();
        // Of two signs that fit, the longer one counts.
        kinds.sort_by_key(|(sign, ..)| std::cmp::Reverse(sign.len()));
        // Where one has no end, none that begins later has: they need not be looked for again.
        let mut endless = vec![false; kinds.len()];
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let rest = &text[at..];
            let kind = kinds.iter().enumerate().find(|(no, (sign, ..))| !endless[*no] && rest.starts_with(sign));
            let Some((no, (sign, part, ends))) = kind else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let inner = &rest[sign.len()..];
            let is_of_line = matches!(ends, MarkEnd::Quote(sign) if ends_with_line(sign));
            let end = match ends {
                MarkEnd::WithLine => Some(inner.find('\n').unwrap_or(inner.len())),
                MarkEnd::With(close) => inner.find(close).map(|end| end + close.len()),
                MarkEnd::Quote(close) => quoted(inner, close, is_of_line),
            };
            match end {
                Some(end) => {
                    found.push((at..at + sign.len() + end, *part));
                    at += sign.len() + end;
                }
                None => {
                    endless[no] = !is_of_line;
                    at += sign.len();
                }
            }
        }
        found
    }

    /// Signs of comments and strings that may go on beyond their line.
    pub fn signs_of_many_lines(&self) -> impl Iterator<Item = &str> {
        let blocks = self.block_comments.iter().flat_map(|(open, close)| [open.as_str(), close.as_str()]);
        blocks.chain(self.strings.iter().map(String::as_str).filter(|sign| !ends_with_line(sign)))
    }
}

/// A string of one quotation mark ends in its line; a backtick, and a mark of several signs, may go on.
fn ends_with_line(sign: &str) -> bool {
    matches!(sign, "\"" | "'")
}

/// How something that begins with a sign ends.
enum MarkEnd<'a> {
    WithLine,
    With(&'a str),
    /// A sign without a backslash before it.
    Quote(&'a str),
}

/// Where the string ends, behind its sign; None if it does not, or goes on beyond the only line that it may have.
fn quoted(text: &str, close: &str, is_of_line: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = at + text[at..].find(|c| c == '\\' || (is_of_line && c == '\n') || close.starts_with(c))?;
        let rest = &text[next..];
        if rest.starts_with(close) {
            return Some(next + close.len());
        }
        let mut chars = rest.chars();
        let first = chars.next()?;
        let escaped = chars.next().filter(|_| first == '\\');
        if is_of_line && (first == '\n' || escaped == Some('\n')) {
            return None;
        }
        at = next + first.len_utf8() + escaped.map_or(0, char::len_utf8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn syntax() -> Syntax {
        Syntax {
            line_comments: vec!["//".into()],
            block_comments: vec![("/*".into(), "*/".into())],
            strings: vec!["\"".into(), "'".into(), "`".into(), "\"\"\"".into()],
        }
    }

    /// Strings in «», comments in ().
    fn shown(text: &str, parts: &SyntaxParts) -> String {
        let (mut shown, mut at) = (String::new(), 0);
        for (range, part) in parts {
            let [open, close] = if *part == SyntaxPart::Comment { ['(', ')'] } else { ['«', '»'] };
            shown += &format!("{}{open}{}{close}", &text[at..range.start], &text[range.clone()]);
            at = range.end;
        }
        shown + &text[at..]
    }

    #[test]
    fn comments_and_strings_are_found() {
        for (text, expected) in [
            ("a = \"x // y\" // z", "a = «\"x // y\"» (// z)"),
            (r#"a("\"", 'b\\')"#, r#"a(«"\""», «'b\\'»)"#),
            ("don't\nwon't 'x'", "don't\nwon«'t '»x'"),
            ("a /* b\nc */ d", "a (/* b\nc */) d"),
            ("a */ b /* c", "a */ b /* c"),
            ("`a\nb` `", "«`a\nb`» `"),
            ("\"\"\"a \" b\n\"\"\" + \"é\\é\"", "«\"\"\"a \" b\n\"\"\"» + «\"é\\é\"»"),
            ("end of one\"\"\"\nx = 1", "end of one\"\"\"\nx = 1"),
        ] {
            assert_eq!(shown(text, &syntax().parts(text)), expected);
        }
    }
}
