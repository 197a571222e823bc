//! What the task puts in scope: its hints, and the paths that its text names.

use guard_sdk::Task;
use guard_sdk::files::Globs;

use crate::mention::{self, Mention};

pub struct Scope {
    text: String,
    hints: Vec<String>,
}

impl Scope {
    pub fn new(task: Task) -> Self {
        let plain = |hint: &String| hint.trim().trim_start_matches("./").to_string();
        let hints = task.hints.iter().map(plain).filter(|hint| !hint.is_empty()).collect();
        Scope { text: task.text, hints }
    }

    /// Whether the task hints at anything.
    pub fn is_given(&self) -> bool {
        !self.hints.is_empty()
    }

    /// Whether the task hints at this very path. A folder or a glob around it does not name it, and neither does a file of
    /// the same name elsewhere.
    pub fn names(&self, path: &str) -> bool {
        self.hints.iter().any(|hint| hint == path) || mention::find(path, &self.text) == Mention::Named
    }

    /// Whether the text says to leave this path alone.
    pub fn forbids(&self, path: &str) -> bool {
        mention::find(path, &self.text) == Mention::Forbidden
    }

    /// Whether the path is hinted at, lies in a folder that is, or matches a glob that is.
    pub fn covers(&self, path: &str) -> bool {
        let inside = |hint: &String| {
            let folder = hint.strip_suffix('/').unwrap_or(hint);
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let globbed =
            |hint: &String| hint.contains(['*', '?']) && Globs::new(&[hint]).is_ok_and(|globs| globs.matches(path));
        self.names(path) || self.hints.iter().any(|hint| inside(hint) || globbed(hint))
    }

    /// A hint at another file of the same name.
    pub fn namesake(&self, path: &str) -> Option<&str> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
        self.hints.iter().find(|hint| name(hint) == name(path)).map(String::as_str)
    }

    /// For a sentence.
    pub fn listed(&self) -> String {
        self.hints.join(", ")
    }
}
