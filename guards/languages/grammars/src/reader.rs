//! The answers about one text, which is parsed once.

use guard_sdk::language::{Outline, Problem, Unread};

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

    /// A text that a compiler refuses has no facts. One that only the grammar does not know has none either, since what surrounds the unknown
    /// part may be read as part of it: a class whose one method is newer than the grammar would be lost. But of C and C++ hardly a file has
    /// no macro, and where the grammar passes over it, the rest is certain.
    /// `is_test`: by its path, the file is run as tests.
    pub fn outline(&self, is_test: bool) -> Result<Outline, Unread> {
        let recovers =
            matches!(self.parsed.language, Language::C | Language::Cpp) && syntax::is_passed_over(&self.parsed);
        match self.problems.first() {
            Some(_) if self.problems.iter().any(|problem| problem.is_certain) => Err(Unread::Broken),
            Some(first) if !recovers => {
                Err(Unread::Other(format!("line {} is in no grammar that is known", first.line)))
            }
            _ => Ok(outline::outline(&self.parsed, is_test)),
        }
    }
}
