//! How comments and strings of a language look: as much as colours need.

/// Of one language. Signs that are longer come first where one begins with another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Syntax {
    pub line_comments: Vec<String>,
    /// What opens and what closes one.
    pub block_comments: Vec<(String, String)>,
    /// What opens, and closes, a string.
    pub strings: Vec<String>,
}

/// Who knows the languages of files.
pub trait SyntaxByPath: Sync {
    /// By the file's name; None where no language claims it.
    fn syntax(&self, path: &str) -> Option<Syntax>;
}
