//! What the parsers say of the questions that every language answers.

#[path = "../../conformance/check.rs"]
mod check;

use guard_sdk::language::{Questions, Reader, Source};
use language_parsers::Parsers;

#[test]
fn every_question_has_the_answer_of_the_table_in_every_language() {
    let wanted = Questions { problems: true, outline: true, surface: false, signatures: false, names: false };
    let asked = check::check(&["python", "typescript", "rust"], |language, is_test, text| {
        let dialect = match language {
            "python" => "py",
            "typescript" => "ts",
            _ => "rs",
        };
        let source = Source { language: language.into(), dialect: dialect.into(), is_test, text: text.into() };
        let reading = Parsers::read(source, wanted);
        check::Reading {
            problems: reading.problems.expect("they were wanted").unwrap_or_default(),
            outline: reading.outline.expect("it was wanted"),
        }
    });
    assert!(asked >= 80, "{asked} questions");
}
