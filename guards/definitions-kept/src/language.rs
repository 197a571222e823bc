//! In which languages this guard knows how lines define something and how imports find files.

use guard_sdk::files::{self, Language};
use guard_sdk::{Change, Side};

/// Another language that the host reads is None: what is needed is looked for in the file alone. The outer None is a file of which the
/// host reads no outline.
pub fn language_of(change: &Change, path: &str) -> Option<Option<Language>> {
    let language = change.languages(Side::After).language(path).filter(|language| language.has_outline)?;
    Some(match language.name.as_str() {
        "python" => Some(Language::Python),
        "javascript" | "typescript" => Some(Language::JavaScript),
        "rust" => Some(Language::Rust),
        _ => None,
    })
}

/// Where code refers to other code in the language.
pub fn globs(language: Option<Language>) -> &'static [&'static str] {
    language.map_or(files::CODE, Language::module_globs)
}

/// Whether a class is called only behind a word, `new`, so that a call of its name alone is that of a function.
pub fn makes_with_a_word(path: &str) -> bool {
    matches!(Language::from_path(path), Some(Language::CSharp | Language::Java | Language::Php))
}
