//! Comments, line by line.

use guard_sdk::language::{Comment, Outline, Span};
use tree_sitter::Node;

use crate::Parsed;
use crate::parsed::line;

pub fn add(parsed: &Parsed, node: Node, outline: &mut Outline) {
    let place = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    outline.dead.push(Span { start: place(node.start_byte()), end: place(node.end_byte()) });
    let signs = |c: char| c.is_whitespace() || "/*!#".contains(c);
    let lines = parsed.text_of(node).lines().map(|text| text.trim_matches(signs).to_owned());
    outline.comments.extend((line(node)..).zip(lines).map(|(line, text)| Comment { line, text }));
}
