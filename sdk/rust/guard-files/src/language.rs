//! The languages of files.

/// What a text is written in, as far as the name of its file tells. A guard that reads fewer says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[rustfmt::skip]
pub enum Language {
    C, CSharp, Clojure, Cpp, Css, Dart, Elixir, Erlang, FSharp, Go, Gradle, Haskell, Java, JavaScript, Julia, Kotlin, Lua, ObjectiveC, OCaml,
    Perl, Php, PowerShell, Protobuf, Python, R, Ruby, Rust, Scala, Shell, Sql, Svelte, Swift, TypeScript, Vue, Zig,
    Dockerfile, Html, Ini, Json, Make, Toml, Yaml,
    AsciiDoc, Markdown, ReStructuredText, Text,
}

/// Each with the endings of its files.
#[rustfmt::skip]
const ENDINGS: &[(Language, &[&str])] = &[
    (Language::Python, &["py", "pyi"]),
    (Language::JavaScript, &["js", "mjs", "cjs", "jsx"]),
    (Language::TypeScript, &["ts", "mts", "cts", "tsx"]),
    (Language::Rust, &["rs"]),
    (Language::Go, &["go"]),
    (Language::Ruby, &["rb"]),
    (Language::Php, &["php"]),
    (Language::Java, &["java"]),
    (Language::Kotlin, &["kt", "kts"]),
    (Language::C, &["c", "h"]),
    (Language::Cpp, &["cc", "cpp", "cxx", "hpp", "hh"]),
    (Language::CSharp, &["cs"]),
    (Language::FSharp, &["fs"]),
    (Language::Swift, &["swift"]),
    (Language::ObjectiveC, &["m"]),
    (Language::Scala, &["scala"]),
    (Language::Dart, &["dart"]),
    (Language::Zig, &["zig"]),
    (Language::Protobuf, &["proto"]),
    (Language::Gradle, &["gradle"]),
    (Language::Shell, &["sh", "bash", "zsh"]),
    (Language::PowerShell, &["ps1"]),
    (Language::Perl, &["pl", "pm"]),
    (Language::Lua, &["lua"]),
    (Language::R, &["r"]),
    (Language::Julia, &["jl"]),
    (Language::Elixir, &["ex", "exs"]),
    (Language::Erlang, &["erl"]),
    (Language::Haskell, &["hs"]),
    (Language::OCaml, &["ml"]),
    (Language::Clojure, &["clj"]),
    (Language::Sql, &["sql"]),
    (Language::Vue, &["vue"]),
    (Language::Svelte, &["svelte"]),
    (Language::Css, &["css", "scss", "less"]),
    (Language::Html, &["html", "htm"]),
    (Language::Json, &["json", "jsonc", "json5"]),
    (Language::Toml, &["toml"]),
    (Language::Yaml, &["yml", "yaml"]),
    (Language::Ini, &["ini", "cfg", "conf", "properties"]),
    (Language::Make, &["mk"]),
    (Language::Dockerfile, &["dockerfile"]),
    (Language::Markdown, &["md", "mdx", "markdown", "mdown", "mkd"]),
    (Language::ReStructuredText, &["rst"]),
    (Language::AsciiDoc, &["adoc", "asciidoc"]),
    (Language::Text, &["txt"]),
];

/// Names without an ending, in lower case.
#[rustfmt::skip]
const NAMES: &[(Language, &[&str])] = &[
    (Language::Dockerfile, &["dockerfile", "containerfile"]),
    (Language::Make, &["makefile", "gnumakefile"]),
    (Language::Ruby, &["gemfile", "rakefile", "vagrantfile"]),
];

impl Language {
    /// None where the name does not tell.
    pub fn from_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let among = |table: &[(Language, &[&str])], word: &str| {
            table.iter().find(|(_, words)| words.contains(&word)).map(|(language, _)| *language)
        };
        // A dot at the start marks a hidden file.
        match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => among(ENDINGS, ending),
            _ => among(NAMES, &name),
        }
    }

    /// Without their dots.
    pub fn endings(self) -> &'static [&'static str] {
        ENDINGS.iter().find(|(language, _)| *language == self).map_or(&[], |(_, endings)| endings)
    }

    /// Of its files, for languages that a reader of the host may claim; else none.
    pub const fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py", "*.pyi"],
            Language::JavaScript => &["*.js", "*.mjs", "*.cjs", "*.jsx"],
            Language::TypeScript => &["*.ts", "*.mts", "*.cts", "*.tsx"],
            Language::Rust => &["*.rs"],
            Language::Go => &["*.go"],
            Language::Ruby => &["*.rb"],
            Language::Php => &["*.php"],
            Language::Java => &["*.java"],
            Language::Kotlin => &["*.kt", "*.kts"],
            Language::CSharp => &["*.cs"],
            Language::C => &["*.c", "*.h"],
            Language::Cpp => &["*.cc", "*.cpp", "*.cxx", "*.hpp", "*.hh"],
            Language::Swift => &["*.swift"],
            _ => &[],
        }
    }

    /// In which language its modules are: those of TypeScript and of JavaScript import one another.
    pub const fn of_modules(self) -> Language {
        match self {
            Language::TypeScript => Language::JavaScript,
            other => other,
        }
    }

    /// Of files whose modules may import one another, for languages that a reader of the host may claim; else none.
    pub const fn module_globs(self) -> &'static [&'static str] {
        const SCRIPTS: &[&str] = &join::<8>(&[Language::JavaScript.globs(), Language::TypeScript.globs()]);
        match self.of_modules() {
            Language::JavaScript => SCRIPTS,
            other => other.globs(),
        }
    }

    /// Programs, and what they are styled with.
    pub fn is_code(self) -> bool {
        !self.is_document() && !self.is_data()
    }

    /// What people read.
    pub fn is_document(self) -> bool {
        matches!(
            self,
            Language::AsciiDoc | Language::Html | Language::Markdown | Language::ReStructuredText | Language::Text
        )
    }

    fn is_data(self) -> bool {
        matches!(
            self,
            Language::Dockerfile | Language::Ini | Language::Json | Language::Make | Language::Toml | Language::Yaml
        )
    }
}

/// Globs of files in whose language definitions and tests may be read.
#[rustfmt::skip]
pub const CODE: &[&str] = &join::<26>(&[
    Language::Python.globs(), Language::JavaScript.globs(), Language::TypeScript.globs(), Language::Rust.globs(), Language::Go.globs(),
    Language::Ruby.globs(), Language::Php.globs(), Language::Java.globs(), Language::Kotlin.globs(), Language::CSharp.globs(),
    Language::C.globs(), Language::Cpp.globs(), Language::Swift.globs(),
]);

/// Lists one after the other, where a constant is wanted; `N` is the sum of their lengths.
pub const fn join<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut joined = [""; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            joined[at] = lists[list][index];
            (index, at) = (index + 1, at + 1);
        }
        list += 1;
    }
    assert!(at == N, "as many as the lists have");
    joined
}

#[cfg(test)]
mod tests {
    use super::{ENDINGS, Language};

    #[test]
    fn globs_are_those_of_the_endings() {
        for (language, endings) in ENDINGS.iter().filter(|(language, _)| !language.globs().is_empty()) {
            let globs: Vec<String> = endings.iter().map(|ending| format!("*.{ending}")).collect();
            assert_eq!(language.globs(), globs, "{language:?}");
            assert!(endings.iter().all(|ending| Language::from_path(&format!("a/b.{ending}")) == Some(*language)));
        }
    }
}
