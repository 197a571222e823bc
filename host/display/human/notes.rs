//! Repairs (`repaired: …`) and remarks (`note: …`).

use guardhost_core::change::Note;

use super::writer::{CYAN, PLAIN, PageWriter, YELLOW};

pub fn notes(page: &mut PageWriter, notes: &[Note]) {
    for note in notes {
        let label = page.paint(CYAN, "repaired");
        page.labelled(&label, &note.to_string(), PLAIN);
    }
    page.gap();
}

pub fn notices(page: &mut PageWriter, notices: &[String]) {
    for notice in notices {
        let label = page.paint(YELLOW, "note");
        page.labelled(&label, notice, PLAIN);
    }
}
