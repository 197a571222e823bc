//! Commits: those that make the change, and those behind it.

use guard_files::makers::{ChangeMaker, CommitTraces};

pub use crate::bindings::guardhost::commits::commits::{EditedFile, ReplacedLines};
pub use crate::bindings::guardhost::guard::change::{Person, Trailer};

/// What a commit made of files, beside its first parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Edits {
    pub commit: Commit,
    /// Whole days from the commit to the base, by the dates that they bear.
    pub days_before: u32,
    pub files: Vec<EditedFile>,
}

/// A commit, or one that would be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// Hex object id; None for a commit that is not made yet.
    pub oid: Option<String>,
    /// The whole message.
    pub message: String,
    pub author: Person,
    /// The lines `key: value` at the end of the message, as `git interpret-trailers --parse` finds them.
    pub trailers: Vec<Trailer>,
}

impl Commit {
    /// Whether the author, or a trailer such as `Co-authored-by`, is a coding agent that names itself.
    pub fn is_by_agent(&self) -> bool {
        let author = format!("{} <{}>", self.author.name, self.author.email);
        let traces = CommitTraces { people: [author, String::new()], message: &self.message };
        matches!(traces.maker(), ChangeMaker::Agent(_))
    }

    /// The message's first line.
    pub fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// What follows the subject, without the blank lines around it; empty when nothing does.
    pub fn body(&self) -> &str {
        self.message.split_once('\n').map_or("", |(_, body)| body.trim())
    }

    /// Values of the trailers of that key, in order. Keys are compared as git does, without regard to case.
    pub fn trailers_of(&self, key: &str) -> impl Iterator<Item = &str> {
        let named = move |trailer: &&Trailer| trailer.key.eq_ignore_ascii_case(key);
        self.trailers.iter().filter(named).map(|trailer| trailer.value.as_str())
    }
}
