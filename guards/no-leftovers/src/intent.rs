//! What the task and the commit messages ask for, as far as it concerns the form of files.

use std::cell::OnceCell;

use guard_sdk::Change;

pub struct Intent<'c> {
    change: &'c Change,
    words: OnceCell<String>,
}

impl<'c> Intent<'c> {
    pub fn new(change: &'c Change) -> Self {
        Intent { change, words: OnceCell::new() }
    }

    /// Whether one of the words, in lower case, begins a word of the task or of a message.
    pub fn speaks_of(&self, subjects: &[&str]) -> bool {
        let words = self.words.get_or_init(|| self.change.wishes().join("\n").to_lowercase());
        words.split(|c: char| !c.is_alphanumeric()).any(|word| subjects.iter().any(|subject| word.starts_with(subject)))
    }

    /// Whether the change touches a file that says how others are formatted.
    pub fn touches(&self, names: &[&str]) -> bool {
        self.change.files().any(|file| names.contains(&file.name()))
    }

    pub fn files(&self) -> usize {
        self.change.files().count()
    }
}
