//! Strings, comments and code of a text, told apart without a parser: enough for rules that look at words. What a lexer cannot be certain
//! of is None, and so is all of a text in a language whose strings are not known.

mod lines;
mod masked;
#[expect(clippy::single_range_in_vec_init, reason = "a range of no byte stands behind the runs of a line")]
mod told;

use guard_sdk::files::Language;

pub use guard_sdk::files::syntax::is_fence;
pub use lines::{has_line, lines_in_code};
pub use masked::{Line, masked};
pub use told::{Lines, Told};

/// Whether texts in the language are told apart.
pub fn is_lexed(language: Language) -> bool {
    lines::Lexer::of_language(language).is_some()
}
