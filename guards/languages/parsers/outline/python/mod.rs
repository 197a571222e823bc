//! Python, by ruff's parser.

mod body;
mod define;
mod fixture;
mod imports;
mod module;
mod scope;
mod skip;
mod swallowed;
mod visit;

use ruff_python_ast::Mod;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use crate::outline::Draft;
use guard_sdk::language::{Comment, Outline};
use guard_sdk::text::LineStarts;
use scope::Scope;

pub fn outline(is_test: bool, text: &str, parsed: &Parsed<Mod>) -> Outline {
    let lines = LineStarts::new(text);
    let mut draft = Draft::default();
    for token in parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment) {
        let range = token.range().to_std_range();
        draft.dead.push(range.clone());
        let words = text[range.clone()].trim_start_matches('#').trim();
        draft.comments.push(Comment { line: lines.at(range.start), text: words.to_owned() });
    }
    let body = parsed.syntax().as_module().map_or(&[][..], |module| &module.body);
    Scope::new(&mut draft, &lines, is_test).module(body);
    draft.finish()
}
