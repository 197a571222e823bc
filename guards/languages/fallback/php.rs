//! PHP, by mago.

use bumpalo::Bump;
use guard_parsing::{Language, Parsed, Problem, Recursion};
use mago_database::file::FileId;
use mago_span::HasSpan;
use mago_syntax::parser::parse_file_content;

pub static PHP: Language = Language {
    rule: "php-syntax",
    parse,
    longest_line: 16 << 10,
    recursion: Recursion::BracketsAndElses,
    largest: 384 << 10,
    help: "Fix this line so that the file compiles: brackets, quotes, semicolons; every line between `<?php` and `?>` must be code. The cause may stand a few lines above.",
};

fn parse(text: &str) -> Parsed {
    let arena = Bump::new();
    let program = parse_file_content(&arena, FileId::zero(), text.as_bytes());
    match program.errors.first() {
        None => Parsed::Whole,
        Some(error) => Parsed::Broken(Problem::at(text, error.span().start.offset as usize, error.to_string())),
    }
}
