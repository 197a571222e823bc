//! What a path says of a file: its language, and whether diffs, fences and chatter may be its content.

/// How far a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Code(Language),
    /// Prose: Markdown and the like.
    Document,
    /// Anything may stand in it: unknown kinds, plain text, recorded output, data of tests.
    Open,
}

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

pub fn kind(path: &str) -> Kind {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    if is_test_data(folder) {
        return Kind::Open;
    }
    let extension = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension,
        _ => return Language::of_name(name).map_or(Kind::Open, Kind::Code),
    };
    let language = match extension {
        "py" | "pyi" | "pyw" => Language::Python,
        "rs" => Language::Rust,
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "go" => Language::Backtick,
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "java" | "kt" | "kts" | "cs" | "swift" | "scala" | "dart"
        | "css" | "scss" | "less" | "proto" | "zig" | "m" | "gradle" => Language::Braces,
        "sh" | "bash" | "zsh" | "rb" | "pl" | "pm" => Language::Shell,
        "toml" => Language::Toml,
        "yml" | "yaml" => Language::Yaml,
        "json" | "jsonc" | "json5" => Language::Json,
        "ini" | "cfg" | "conf" | "properties" | "dockerfile" | "mk" => Language::Lines,
        "md" | "markdown" | "mdx" | "rst" | "adoc" => return Kind::Document,
        _ => return Kind::Open,
    };
    Kind::Code(language)
}

impl Language {
    fn of_name(name: &str) -> Option<Language> {
        match name {
            "dockerfile" | "containerfile" | "makefile" | "gnumakefile" | ".gitignore" | ".dockerignore"
            | ".editorconfig" | ".npmrc" => Some(Language::Lines),
            "gemfile" | "rakefile" | "vagrantfile" => Some(Language::Shell),
            _ => None,
        }
    }
}

/// Folders whose files are read by tests.
pub fn is_test_data(folder: &str) -> bool {
    #[rustfmt::skip]
    const DATA: [&str; 28] = [
        "fixture", "fixtures", "__fixtures__", "testdata", "test-data", "test_data", "corpus", "cases", "snapshots", "__snapshots__",
        "testcases", "golden", "goldens", "expected", "samples", "vendor", "third_party", "resources", "prompts", "recordings",
        "data", "__testfixtures__", "cassettes", "mocks", "playground", "baselines", ".yarn", "dist",
    ];
    folder.split('/').any(|part| DATA.contains(&part) || part.ends_with("fixtures") || part.ends_with("-data"))
        || (folder.split('/').any(|part| ["test", "tests", "spec", "specs"].contains(&part))
            && folder.split('/').any(|part| ["format", "input", "inputs", "output", "outputs"].contains(&part)))
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
