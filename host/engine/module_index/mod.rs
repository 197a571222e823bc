//! What the texts of modules say of themselves, for `guardhost:modules`. An embedded component reads each text, in a sandbox and once:
//! the answers are kept by the blob's object id, for the set in memory and for the user on disk.

pub mod bindings;
mod indexer;
mod kept;
mod memory;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embedded::EmbeddedIndexer;
use crate::limits::Stop;
use bindings::exports::guardhost::indexer::index::{Signatures, Surface};
use guardhost_core::change::Oid;
use guardhost_core::stop::StopToken;
use indexer::Indexer;
use kept::Kept;
use memory::Memory;

/// Bytes of the longest text that is read. A longer one was written by a program.
pub const LONGEST: u64 = 4 << 20;

/// A function of the indexer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    Surface,
    Signatures,
}

/// Everything that an answer depends on, beside the indexer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Subject {
    pub question: Question,
    /// Of the text.
    pub blob: Oid,
    /// What follows the first dot of the file's name.
    pub dialect: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    Surface(Surface),
    Signatures(Signatures),
    /// Why the text says nothing.
    Nothing(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reading {
    pub answer: Answer,
    /// What the reading took: the same for everyone who asks, whether the answer was kept or not.
    pub fuel: u64,
    /// Bytes of the answer, about.
    #[serde(skip)]
    pub size: u64,
}

pub struct ModuleIndex {
    indexer: Indexer,
    kept: Kept,
    memory: Memory,
}

impl ModuleIndex {
    /// Nothing is loaded yet. `folder` holds answers between runs; None keeps none.
    pub fn new(embedded: &'static EmbeddedIndexer, folder: Option<PathBuf>) -> Self {
        ModuleIndex {
            indexer: Indexer::new(embedded),
            kept: Kept::new(folder, embedded.digest),
            memory: Memory::default(),
        }
    }

    /// Of several threads that ask for the same at once, one reads. `text` is only called when the answer is not known.
    ///
    /// # Errors
    /// The text or the indexer could not be had, or the work was stopped; nothing is kept of that.
    pub fn read(
        &self,
        subject: &Subject,
        stop: &StopToken,
        text: impl FnOnce() -> Result<Result<Arc<str>, String>, Stop>,
    ) -> Result<Arc<Reading>, Stop> {
        self.memory.get(subject, || {
            if let Some(known) = self.kept.get(subject) {
                return Ok(known);
            }
            let (answer, fuel) = match text()? {
                Ok(text) => self.indexer.read(subject, &text, stop)?,
                Err(why) => (Answer::Nothing(why), 0),
            };
            Ok(self.kept.put(subject, Reading { answer, fuel, size: 0 }))
        })
    }
}
