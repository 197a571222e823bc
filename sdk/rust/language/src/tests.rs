//! The reader as the host calls it, but natively. `cases/` has what `host guard test` compares.

use guard_sdk::language::{Questions, Reader, Reading, Source};

use crate::Toy;

const WANTED: Questions = Questions { problems: true, outline: true, surface: false, signatures: false, names: false };

fn read(text: &str) -> Reading {
    let source = Source { language: "toy".into(), dialect: "toy".into(), is_test: false, text: text.into() };
    Toy::read(source, WANTED)
}

#[test]
fn a_text_that_parses_has_definitions() {
    let outline = read("fn greet\n    say hello\nend\n").outline.unwrap().unwrap();
    assert_eq!(outline.definitions[0].name, "greet");
    assert_eq!(outline.uses[0].name, "hello");
}

#[test]
fn a_block_that_is_never_closed_is_a_problem() {
    let reading = read("fn greet\n    say hello\n");
    assert_eq!(reading.problems.unwrap().unwrap()[0].line, 1);
    assert!(reading.outline.unwrap().is_err());
}
