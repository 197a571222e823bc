//! What a path says of a file: its language, and whether diffs, fences and chatter may be its content.

use guard_sdk::files;
pub use guard_sdk::files::Language;

/// How far a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Code(Language),
    /// Prose: Markdown and the like.
    Document,
    /// Anything may stand in it: unknown kinds, plain text, recorded output, data of tests.
    Open,
}

pub fn kind(path: &str) -> Kind {
    match files::kind_of(path) {
        // Recorded, written by others, or data of tests: anything may stand in it.
        files::Kind::TestData | files::Kind::Vendored | files::Kind::Generated => return Kind::Open,
        files::Kind::Code
        | files::Kind::Test
        | files::Kind::Example
        | files::Kind::Template
        | files::Kind::Document
        | files::Kind::Configuration
        | files::Kind::Lock
        | files::Kind::Other => {}
    }
    let Some(language) = Language::from_path(path) else {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        return if is_list(&name) || name.starts_with(".env") { Kind::Code(Language::Ini) } else { Kind::Open };
    };
    match language {
        Language::Markdown | Language::ReStructuredText | Language::AsciiDoc => Kind::Document,
        language if lexing::is_lexed(language) => Kind::Code(language),
        _ => Kind::Open,
    }
}

/// An entry or a rule a line.
pub fn has_entries(language: Language) -> bool {
    matches!(language, Language::Ini | Language::Dockerfile | Language::Make)
}

/// What a file is run in by its name.
pub fn is_script(language: Language) -> bool {
    matches!(language, Language::Shell | Language::Ruby | Language::Perl)
}

/// Whether a file, by its name in lower case, is a list for a tool: an entry a line, and nothing that crosses lines.
pub fn is_list(name: &str) -> bool {
    const LISTS: [&str; 4] = [".editorconfig", ".npmrc", ".gitattributes", "codeowners"];
    LISTS.contains(&name) || (name.starts_with('.') && name.ends_with("ignore"))
}

/// Whether the file is one of diffs, merges or patches, by its path: their markers are its subject.
pub fn is_about_diffs(path: &str) -> bool {
    const WORDS: [&str; 9] = ["diff", "patch", "merge", "conflict", "hunk", "udiff", "difflib", "apply", "git"];
    let lower = path.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let folder_of_git = lower.starts_with(".git");
    words.any(|word| {
        WORDS.iter().any(|subject| word.starts_with(subject) && !(folder_of_git && word.starts_with("git")))
    })
}

/// Whether the file is about models and what they say, by its path.
pub fn is_about_models(path: &str) -> bool {
    const WORDS: [&str; 12] = [
        "prompt",
        "prompts",
        "chat",
        "assistant",
        "agent",
        "agents",
        "llm",
        "gpt",
        "claude",
        "conversation",
        "skills",
        "messages",
    ];
    path.to_ascii_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
