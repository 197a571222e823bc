//! How imports find files, where this guard knows it.

use guard_sdk::files;
use guard_sdk::{Change, Side};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    /// And TypeScript.
    JavaScript,
    Rust,
    /// Another one that the host reads: what is needed is looked for in the file alone.
    Other,
}

impl Language {
    /// None for a file of which the host reads no outline.
    pub fn from_path(change: &Change, path: &str) -> Option<Language> {
        let language = change.languages(Side::After).language(path).filter(|language| language.has_outline)?;
        Some(match language.name.as_str() {
            "python" => Language::Python,
            "javascript" | "typescript" => Language::JavaScript,
            "rust" => Language::Rust,
            _ => Language::Other,
        })
    }

    /// Where code in this language refers to other code in it.
    pub fn globs(self) -> &'static [&'static str] {
        const JAVASCRIPT: [&str; 8] =
            files::join(&[files::Language::JavaScript.globs(), files::Language::TypeScript.globs()]);
        match self {
            Language::Python => files::Language::Python.globs(),
            Language::JavaScript => &JAVASCRIPT,
            Language::Rust => files::Language::Rust.globs(),
            Language::Other => files::CODE,
        }
    }
}

/// Whether a class is called only behind a word, `new`, so that a call of its name alone is that of a function.
pub fn makes_with_a_word(path: &str) -> bool {
    use files::Language::{CSharp, Java, Php};
    matches!(files::Language::from_path(path), Some(CSharp | Java | Php))
}
