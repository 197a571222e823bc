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
        Some(Parsed { language, text, tree })
    }

    pub fn text_of(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
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
