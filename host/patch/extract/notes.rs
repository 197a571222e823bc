//! The notes of one reply.

use std::collections::HashSet;

use crate::limits::NOTES;
use guardhost_core::change::Note;

/// What was repaired, each thing once.
pub(super) struct Notes {
    notes: Vec<Note>,
    seen: HashSet<(&'static str, String)>,
    /// Notes above the limit.
    left_out: usize,
}

impl Notes {
    pub fn new(notes: Vec<Note>) -> Self {
        let seen = notes.iter().map(|note| (note.code, note.text.clone())).collect();
        Notes { notes, seen, left_out: 0 }
    }

    pub fn add(&mut self, code: &'static str, text: impl std::fmt::Display) {
        if self.notes.len() >= NOTES {
            self.left_out += 1;
            return;
        }
        let note = Note::new(code, text);
        if self.seen.insert((code, note.text.clone())) {
            self.notes.push(note);
        }
    }

    pub fn into_vec(mut self) -> Vec<Note> {
        if self.left_out > 0 {
            self.notes.push(Note::new("more-notes", format_args!("{} more repairs are not listed", self.left_out)));
        }
        self.notes
    }
}
