//! Python, by ruff's parser.

mod asleep;
mod body;
mod define;
mod fixture;
mod module;
mod scope;
mod take;
mod visit;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::lines::Lines;
use super::{Comment, Outline};
use scope::Scope;

use guard_nesting::python as depth;

pub fn outline(path: &str, text: &str) -> Option<Outline> {
    if depth::depth(text) > depth::MAX {
        return None;
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    // A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    let parsed = std::mem::ManuallyDrop::new(parsed);
    if !parsed.errors().is_empty() {
        return None;
    }
    let lines = Lines::of(text);
    let mut outline = Outline::default();
    for token in parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment) {
        let range = token.range().to_std_range();
        outline.dead.push(range.clone());
        let words = text[range.clone()].trim_start_matches('#').trim();
        outline.comments.push(Comment { line: lines.at(range.start), text: words.to_owned() });
    }
    let module = parsed.syntax().as_module()?;
    Scope::new(&mut outline, &lines, path).module(&module.body);
    outline.dead.sort_unstable_by_key(|range| range.start);
    Some(outline)
}
