//! The languages whose calls are certain.

use guard_sdk::files;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    TypeScript,
    Rust,
}

impl Language {
    pub const GLOBS: &[&str] = &["*.py", "*.ts", "*.mts", "*.cts", "*.tsx", "*.rs"];

    pub fn of(path: &str) -> Option<Language> {
        // Tests of types make calls that must not compile.
        const DECLARED: [&str; 6] = [".d.", ".test-d.", "test-d/", "dtslint", "type-tests", "typetests"];
        match files::Language::of(path)? {
            // Stubs make no calls.
            files::Language::Python if !path.ends_with(".pyi") => Some(Language::Python),
            files::Language::Rust => Some(Language::Rust),
            files::Language::TypeScript if !DECLARED.iter().any(|part| path.contains(part)) => {
                Some(Language::TypeScript)
            }
            _ => None,
        }
    }

    /// Where code in this language calls other code in it.
    pub fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py"],
            Language::TypeScript => files::Language::TypeScript.globs(),
            Language::Rust => files::Language::Rust.globs(),
        }
    }
}
