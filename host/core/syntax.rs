//! How comments and literals of a file look, for those who show them.

pub use guard_files::syntax::{Syntax, SyntaxPart, SyntaxParts};

/// Who knows the languages of files.
pub trait SyntaxByPath: Sync {
    /// By the file's name; None where it tells no language whose comments and literals are known.
    fn syntax(&self, path: &str) -> Option<Syntax>;
}
