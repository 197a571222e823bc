//! Every touched PHP file still parses.

mod rules;

use bumpalo::Bump;
use guard_parsing::{Language, Parsed, Problem, Recursion, Settings, check};
use guard_sdk::{About, Change, Guard, Stage, Verdict, guard};
use mago_database::file::FileId;
use mago_span::HasSpan;
use mago_syntax::parser::parse_file_content;

pub struct PhpParses;

static PHP: Language = Language {
    rule: "php-syntax",
    parse,
    longest_line: 16 << 10,
    recursion: Recursion::BracketsAndElses,
    largest: 384 << 10,
    help: "Mend this line so that the file compiles: brackets, quotes, semicolons; every line between `<?php` and `?>` must be code. The cause may stand a few lines above.",
};

impl Guard for PhpParses {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Every touched PHP file that parsed before still parses, and so does every added one.",
        stages: &[Stage::Content],
        globs: &["*.php"],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_syntax_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        // Blade is another language, which only ends in `.php`.
        Ok(check(change, &settings, |path, _| {
            (path.ends_with(".php") && !path.ends_with(".blade.php")).then_some(&PHP)
        }))
    }
}

fn parse(text: &str) -> Parsed {
    let arena = Bump::new();
    let program = parse_file_content(&arena, FileId::zero(), text.as_bytes());
    match program.errors.first() {
        None => Parsed::Whole,
        Some(error) => Parsed::Broken(Problem::at(text, error.span().start.offset as usize, error.to_string())),
    }
}

guard!(PhpParses);
