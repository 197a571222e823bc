//! The languages whose calls are certain.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    TypeScript,
    Rust,
}

impl Language {
    pub const GLOBS: &[&str] = &["*.py", "*.ts", "*.mts", "*.cts", "*.tsx", "*.rs"];

    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "py" => Some(Language::Python),
            "rs" => Some(Language::Rust),
            // Tests of types make calls that must not compile.
            _ if [".d.", ".test-d.", "test-d/", "dtslint", "type-tests", "typetests"]
                .iter()
                .any(|part| path.contains(part)) =>
            {
                None
            }
            "ts" | "mts" | "cts" | "tsx" => Some(Language::TypeScript),
            _ => None,
        }
    }

    /// Where code in this language calls other code in it.
    pub fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py"],
            Language::TypeScript => &["*.ts", "*.mts", "*.cts", "*.tsx"],
            Language::Rust => &["*.rs"],
        }
    }
}
