//! The languages whose imports are known.

use guard_sdk::files::{self, join};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
    Go,
}

impl Language {
    pub const GLOBS: &[&str] = &join::<12>(&[
        files::Language::Python.globs(),
        files::Language::JavaScript.globs(),
        files::Language::TypeScript.globs(),
        files::Language::Rust.globs(),
        files::Language::Go.globs(),
    ]);

    pub fn from_path(path: &str) -> Option<Language> {
        match files::Language::from_path(path)? {
            files::Language::Python => Some(Language::Python),
            files::Language::Rust => Some(Language::Rust),
            files::Language::Go => Some(Language::Go),
            files::Language::JavaScript | files::Language::TypeScript => Some(Language::JavaScript),
            _ => None,
        }
    }

    /// Files in this language.
    pub fn globs(self) -> &'static [&'static str] {
        const JAVASCRIPT: [&str; 8] = join(&[files::Language::JavaScript.globs(), files::Language::TypeScript.globs()]);
        match self {
            Language::Python => files::Language::Python.globs(),
            Language::JavaScript => &JAVASCRIPT,
            Language::Rust => files::Language::Rust.globs(),
            Language::Go => files::Language::Go.globs(),
        }
    }
}
