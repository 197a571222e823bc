//! A text and its tree.

use tree_sitter::{Node, Parser, Tree};

use crate::Language;

pub struct Parsed<'t> {
    pub language: Language,
    pub text: &'t str,
    pub tree: Tree,
}

impl<'t> Parsed<'t> {
    /// None when the grammar is of another version than the runtime, which a test excludes.
    pub fn new(language: Language, text: &'t str) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&language.grammar()).ok()?;
        let tree = parser.parse(text, None)?;
        let rewritten = match language {
            _ if !tree.root_node().has_error() => None,
            Language::Php => Some(with_plain_names(text)),
            Language::C => Some(with_short_heads(text)),
            _ => None,
        };
        let otherwise = rewritten.and_then(|text| parser.parse(text, None));
        let tree = otherwise.filter(|tree| !tree.root_node().has_error()).unwrap_or(tree);
        Some(Parsed { language, text, tree })
    }

    pub fn text_of(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}

/// The text with another word, as long, for each name of an argument: PHP takes `f(include: 1)`, and its grammar takes no keyword there
/// (<https://www.php.net/manual/en/functions.arguments.php>).
fn with_plain_names(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (colon, _) in text.match_indices(':') {
        let end = text[..colon].trim_end().len();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let begin = text.as_bytes()[..end].iter().rposition(|byte| !is_word(byte)).map_or(0, |at| at + 1);
        let is_scope = text.as_bytes().get(colon + 1) == Some(&b':');
        if begin < end && !is_scope && text[..begin].trim_end().ends_with(['(', ',']) {
            bytes[begin..end].fill(b'x');
        }
    }
    bytes
}

/// The text with blanks for all but the first argument of a macro that stands where a function begins: the grammar of C takes
/// `TEST(name) {` for a function, and `TEST(group, name) {` for nothing.
fn with_short_heads(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let name = line.bytes().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        let open = name.count();
        let close = line.find(')').filter(|_| open > 0 && line.as_bytes().get(open) == Some(&b'('));
        let begins = |close: usize| text[start + close + 1..].trim_start().starts_with('{');
        if let Some(close) = close.filter(|close| begins(*close))
            && let Some(comma) = line[..close].find(',')
        {
            bytes[start + comma..start + close].fill(b' ');
        }
        start += line.len();
    }
    bytes
}

/// The line of a node's first byte, from 1.
pub fn line(node: Node) -> u32 {
    number(node.start_position().row)
}

/// The line of a node's last byte, from 1.
pub fn last_line(node: Node) -> u32 {
    let end = node.end_position();
    // What ends behind a line break ends on the line before it.
    let row = if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    number(row)
}

fn number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}
