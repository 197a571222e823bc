//! The notes of one reply.

use guardhost_core::change::Note;

/// What was repaired, each thing once.
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub fn new(notes: Vec<Note>) -> Self {
        Notes(notes)
    }

    pub fn add(&mut self, code: &'static str, text: impl std::fmt::Display) {
        let note = Note::new(code, text);
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    pub fn into_vec(self) -> Vec<Note> {
        self.0
    }
}
