//! The answers about one text, which is parsed once.

use guard_sdk::bindings::guardhost::language::facts::{Outline, Problem, Unread};

use crate::{Language, Parsed, outline, syntax};

pub struct Reader<'t> {
    parsed: Parsed<'t>,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    /// None when the grammar does not fit its runtime, which a test excludes.
    pub fn new(language: Language, text: &'t str) -> Option<Self> {
        let parsed = Parsed::new(language, text)?;
        let problems = syntax::problems(&parsed);
        Some(Reader { parsed, problems })
    }

    /// Where the text leaves its grammar, in order.
    pub fn problems(&self) -> Vec<Problem> {
        self.problems.clone()
    }

    /// A text that a compiler refuses has no facts; one that only the grammar does not know has those around what it does not know.
    /// `is_test`: by its path, the file is run as tests.
    pub fn outline(&self, is_test: bool) -> Result<Outline, Unread> {
        if self.problems.iter().any(|problem| problem.is_certain) {
            return Err(Unread::Broken);
        }
        Ok(outline::outline(&self.parsed, is_test))
    }
}
