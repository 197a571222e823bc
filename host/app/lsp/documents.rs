//! What the editor has open: the text of each document as it stands there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::judge::JudgedText;
use super::position::{ColumnUnit, offset};

/// By the address that the editor gave.
pub type OpenDocuments = BTreeMap<String, OpenDocument>;

pub struct OpenDocument {
    /// As the editor gave it.
    pub uri: Uri,
    /// Without links. None for a document that is no file.
    pub path: Option<PathBuf>,
    pub text: String,
    /// The editor's number of this text.
    pub version: i32,
    /// When the text is to be judged. None: it was.
    pub due: Option<Instant>,
    /// What was said of the text; None where nothing judges it.
    pub judged: Option<JudgedText>,
}

impl OpenDocument {
    /// Applies what the editor changed, one after another.
    pub fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, unit: ColumnUnit) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let start = offset(&self.text, range.start, unit);
                    let end = offset(&self.text, range.end, unit).max(start);
                    self.text.replace_range(start..end, &change.text);
                }
            }
        }
    }
}
