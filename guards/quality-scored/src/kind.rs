//! What a file is, as far as its score goes.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Document,
    /// JavaScript or TypeScript by which a tool is configured.
    Config,
    /// Any other text that people write.
    Source,
}

/// Written by programs, or for them, or somebody else's.
#[rustfmt::skip]
const NOT_OURS: [&str; 18] = [
    "vendor", "node_modules", "third_party", "fixtures", "__fixtures__", "testdata", "test-data", "test_data", "snapshots", "__snapshots__", "snaps", "dist", "build", "generated", "cassettes", "golden",
    "locale", "locales",
];

#[rustfmt::skip]
const SOURCE: [&str; 52] = [
    "rs", "py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "go", "java", "kt", "kts", "scala", "c", "h", "cc", "cpp", "hpp", "cxx", "cs", "fs", "swift", "m", "rb",
    "php", "pl", "lua", "r", "jl", "ex", "exs", "erl", "hs", "ml", "clj", "dart", "zig", "sh", "bash", "ps1", "sql", "toml", "yaml", "yml", "css", "scss", "html",
];

impl Kind {
    /// None for what has no score.
    pub fn of(path: &str) -> Option<Self> {
        let lower = path.to_ascii_lowercase();
        let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        if folders.split('/').any(|folder| NOT_OURS.contains(&folder))
            || name.contains(".min.")
            || name.contains("lock")
        {
            return None;
        }
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        match extension {
            "md" | "mdx" | "markdown" | "mdown" | "mkd" | "rst" | "adoc" | "asciidoc" => Some(Kind::Document),
            "" | "txt" if stem == "readme" => Some(Kind::Document),
            "js" | "cjs" | "mjs" | "ts" | "cts" | "mts"
                if stem.ends_with(".config") || (stem.starts_with('.') && stem.ends_with("rc")) =>
            {
                Some(Kind::Config)
            }
            extension => SOURCE.contains(&extension).then_some(Kind::Source),
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
            assert_eq!(Kind::of(path), expected, "{path}");
        }
    }
}
