//! What the grammars say of the questions that every language answers.

#[path = "../../conformance/check.rs"]
mod check;

use language_grammars::{Language, Reader};

#[test]
fn every_question_has_the_answer_of_the_table_in_every_language() {
    let languages = Language::ALL.map(Language::name);
    let asked = check::check(&languages, |language, is_test, text| {
        let language = Language::named(language).expect("a language by its name");
        let reader = Reader::new(language, text).expect("the grammar fits the runtime");
        check::Reading { problems: reader.problems(), outline: reader.outline(is_test) }
    });
    assert!(asked >= 80, "{asked} questions");
}
