//! Strings, comments and code of a text, told apart without a parser: enough for rules that look at words, in the languages of
//! [`Language`]. What a lexer cannot be certain of is None.

mod lines;
mod masked;

use guard_sdk::files;

pub use lines::{is_fence, lines_in_code};
pub use masked::{Line, masked};

/// Languages, by how strings and comments may cross lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    Rust,
    /// JavaScript, TypeScript, Go: strings in backticks cross lines.
    Backtick,
    /// C, Java and their relatives: only comments and `"""` cross lines.
    Braces,
    /// Shell, Ruby, Perl: quotes and here-documents cross lines.
    Shell,
    Toml,
    Yaml,
    Json,
    /// `Dockerfile`, `.gitignore`, ini: nothing crosses lines.
    Lines,
}

impl Language {
    pub fn from_file_language(language: files::Language) -> Option<Language> {
        use files::Language as Of;
        match language {
            Of::Python => Some(Language::Python),
            Of::Rust => Some(Language::Rust),
            Of::JavaScript | Of::TypeScript | Of::Go => Some(Language::Backtick),
            Of::C
            | Of::Cpp
            | Of::Java
            | Of::Kotlin
            | Of::CSharp
            | Of::Swift
            | Of::Scala
            | Of::Dart
            | Of::Css
            | Of::Protobuf
            | Of::Zig
            | Of::ObjectiveC
            | Of::Gradle => Some(Language::Braces),
            Of::Shell | Of::Ruby | Of::Perl => Some(Language::Shell),
            Of::Toml => Some(Language::Toml),
            Of::Yaml => Some(Language::Yaml),
            Of::Json => Some(Language::Json),
            Of::Ini | Of::Dockerfile | Of::Make => Some(Language::Lines),
            _ => None,
        }
    }
}
