//! How comments and strings of a language begin and end, and which of them cross lines.

use guard_sdk::files::Language;

/// What a lexer of lines has to know of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexis {
    /// Something may be open where a line begins.
    pub crosses_lines: bool,
    pub line_comment: LineComment,
    pub block_comments: BlockComments,
    /// `"""` and `'''` begin strings.
    pub triple_quotes: bool,
    /// A backtick begins a string.
    pub backticks: bool,
    /// `r"` and `r#"` begin strings without escapes.
    pub raw_strings: bool,
    pub apostrophe: Apostrophe,
    /// `<<EOF`.
    pub heredocs: bool,
    /// All strings cross lines, not only those in three quotes or in backticks.
    pub long_strings: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineComment {
    Slashes,
    Hash,
    /// `#` at the beginning of a word.
    HashOfWord,
}

/// `/* … */`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockComments {
    None,
    Flat,
    Nested,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Apostrophe {
    String,
    /// A backslash in it hides nothing.
    Verbatim,
    /// A character on one line, or a lifetime, which is no string.
    Character,
}

/// Nothing crosses lines.
const LINES: Lexis = Lexis {
    crosses_lines: false,
    line_comment: LineComment::Slashes,
    block_comments: BlockComments::None,
    triple_quotes: false,
    backticks: false,
    raw_strings: false,
    apostrophe: Apostrophe::String,
    heredocs: false,
    long_strings: false,
};

const HASHES: Lexis = Lexis { crosses_lines: true, line_comment: LineComment::Hash, triple_quotes: true, ..LINES };

const BRACES: Lexis = Lexis { crosses_lines: true, block_comments: BlockComments::Flat, triple_quotes: true, ..LINES };

const BACKTICKS: Lexis = Lexis { triple_quotes: false, backticks: true, ..BRACES };

const RUST: Lexis = Lexis {
    block_comments: BlockComments::Nested,
    triple_quotes: false,
    raw_strings: true,
    apostrophe: Apostrophe::Character,
    long_strings: true,
    ..BRACES
};

const SHELL: Lexis = Lexis {
    crosses_lines: true,
    line_comment: LineComment::HashOfWord,
    apostrophe: Apostrophe::Verbatim,
    heredocs: true,
    long_strings: true,
    ..LINES
};

impl Lexis {
    pub fn of_language(language: Language) -> Option<&'static Lexis> {
        match language {
            Language::Python | Language::Toml => Some(&HASHES),
            Language::Rust => Some(&RUST),
            Language::JavaScript | Language::TypeScript | Language::Go => Some(&BACKTICKS),
            Language::C
            | Language::Cpp
            | Language::Java
            | Language::Kotlin
            | Language::CSharp
            | Language::Swift
            | Language::Scala
            | Language::Dart
            | Language::Css
            | Language::Protobuf
            | Language::Zig
            | Language::ObjectiveC
            | Language::Gradle => Some(&BRACES),
            Language::Shell | Language::Ruby | Language::Perl => Some(&SHELL),
            Language::Yaml | Language::Json | Language::Ini | Language::Dockerfile | Language::Make => Some(&LINES),
            _ => None,
        }
    }
}
