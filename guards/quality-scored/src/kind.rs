//! What a file is, as far as its score goes.

use guard_sdk::files;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Document,
    /// JavaScript or TypeScript by which a tool is configured.
    Config,
    /// Any other text that people write.
    Source,
}

/// Folders of translations.
const TRANSLATIONS: [&str; 2] = ["locale", "locales"];

impl Kind {
    /// None for what has no score: what programs, tests or others wrote, and what no person reads as a text.
    pub fn from_path(path: &str) -> Option<Self> {
        let lower = path.to_ascii_lowercase();
        let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let kind = files::kind_of(path);
        let is_elsewhere =
            matches!(kind, files::Kind::TestData | files::Kind::Vendored | files::Kind::Generated | files::Kind::Lock);
        if is_elsewhere || name.contains("lock") || folders.split('/').any(|folder| TRANSLATIONS.contains(&folder)) {
            return None;
        }
        match files::Language::from_path(path) {
            None | Some(files::Language::Text) => matches!(name, "readme" | "readme.txt").then_some(Kind::Document),
            Some(files::Language::Html) => Some(Kind::Source),
            Some(language) if language.is_document() => Some(Kind::Document),
            Some(language) if language.is_code() && kind == files::Kind::Configuration => Some(Kind::Config),
            Some(files::Language::Toml | files::Language::Yaml) => Some(Kind::Source),
            Some(language) => language.is_code().then_some(Kind::Source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn kinds() {
        let cases = [
            ("README", Some(Kind::Document)),
            ("docs/a.MD", Some(Kind::Document)),
            ("a/eslint.config.mjs", Some(Kind::Config)),
            (".prettierrc.cjs", Some(Kind::Config)),
            ("src/main.rs", Some(Kind::Source)),
            ("tests/fixtures/a.py", None),
            ("package-lock.yaml", None),
            ("a.min.js", None),
            ("logo.svg", None),
        ];
        for (path, expected) in cases {
            assert_eq!(Kind::from_path(path), expected, "{path}");
        }
    }
}
