//! The languages whose names this guard knows.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
}

impl Language {
    pub const GLOBS: &[&str] =
        &["*.py", "*.pyi", "*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.rs"];

    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "py" | "pyi" => Some(Language::Python),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Some(Language::JavaScript),
            "rs" => Some(Language::Rust),
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
