//! The languages whose names this guard knows.

use guard_sdk::files::{self, join};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
}

impl Language {
    pub const GLOBS: &[&str] = &join::<11>(&[
        files::Language::Python.globs(),
        files::Language::JavaScript.globs(),
        files::Language::TypeScript.globs(),
        files::Language::Rust.globs(),
    ]);

    pub fn of(path: &str) -> Option<Language> {
        match files::Language::of(path)? {
            files::Language::Python => Some(Language::Python),
            files::Language::Rust => Some(Language::Rust),
            files::Language::JavaScript | files::Language::TypeScript => Some(Language::JavaScript),
            _ => None,
        }
    }

    /// Units of fuel for a byte that is parsed and whose names are resolved, about.
    pub fn cost(self) -> u64 {
        match self {
            Language::Python => 1_000,
            Language::JavaScript => 1_000,
            Language::Rust => 2_000,
        }
    }
}
