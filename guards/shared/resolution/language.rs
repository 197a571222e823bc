//! The languages whose imports are known.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
    Go,
}

impl Language {
    pub const GLOBS: &[&str] =
        &["*.py", "*.pyi", "*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.rs", "*.go"];

    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "py" | "pyi" => Some(Language::Python),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Some(Language::JavaScript),
            "rs" => Some(Language::Rust),
            "go" => Some(Language::Go),
            _ => None,
        }
    }

    /// Files in this language.
    pub fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py", "*.pyi"],
            Language::JavaScript => &["*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx"],
            Language::Rust => &["*.rs"],
            Language::Go => &["*.go"],
        }
    }
}
