//! The languages that a repository is mainly written in.

use guard_sdk::analysis::Tree;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Python,
    JavaScript,
    TypeScript,
    Rust,
    Go,
    Ruby,
    Php,
    Java,
    Kotlin,
}

impl Language {
    const ALL: [Language; 9] = [
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Rust,
        Language::Go,
        Language::Ruby,
        Language::Php,
        Language::Java,
        Language::Kotlin,
    ];

    /// As the host and people call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript => "TypeScript",
            Language::Rust => "Rust",
            Language::Go => "Go",
            Language::Ruby => "Ruby",
            Language::Php => "PHP",
            Language::Java => "Java",
            Language::Kotlin => "Kotlin",
        }
    }

    /// Globs of its files.
    pub fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py"],
            Language::JavaScript => &["*.js", "*.jsx", "*.mjs", "*.cjs"],
            Language::TypeScript => &["*.ts", "*.tsx", "*.mts", "*.cts"],
            Language::Rust => &["*.rs"],
            Language::Go => &["*.go"],
            Language::Ruby => &["*.rb"],
            Language::Php => &["*.php"],
            Language::Java => &["*.java"],
            Language::Kotlin => &["*.kt", "*.kts"],
        }
    }
}

/// At most three, most files first: those with a tenth of the files of the most frequent one. Empty where no code of a known language is.
pub fn main(tree: &Tree) -> Vec<Language> {
    let mut found: Vec<(u32, Language)> = Vec::new();
    for language in tree.facts().languages() {
        if let Some(known) = Language::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(&language.name)) {
            found.push((language.files, known));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let most = found.first().map_or(0, |(files, _)| *files);
    found.retain(|(files, _)| files * 10 >= most);
    found.into_iter().take(3).map(|(_, language)| language).collect()
}

/// What is said where there is none.
pub const NONE: &str = "no code of a language that is known here";

/// `whole` in as many parts, of which the first ones are larger by the remainder.
pub fn shares(whole: u32, parts: usize) -> Vec<u32> {
    let parts = u32::try_from(parts.max(1)).unwrap_or(1);
    (0..parts).map(|part| whole / parts + u32::from(part < whole % parts)).collect()
}
