//! What texts say, for `guardhost:language` and `guardhost:modules`. Embedded components, one for each family of languages, read each text
//! in a sandbox and once: the answers are kept by the blob's object id, for the set in memory and for the user on disk.

pub mod bindings;
mod claims;
mod component;
mod kept;
mod memory;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embedded::EmbeddedReader;
use crate::limits::GuardStop;
use bindings::exports::guardhost::language::reader::{Signatures, Surface};
use bindings::guardhost::language::text_facts::{Names, Outline, Problem, Unread};
use component::ReaderComponent;
use guardhost_core::change::Oid;
use guardhost_core::stop::StopToken;
use kept::KeptReadings;
use memory::ReadingMemory;

pub use claims::{ClaimedFile, TextQuestions};

/// Bytes of the longest text of which more is read than its problems. A longer one was written by a program.
pub const LONGEST: u64 = 4 << 20;

/// Bytes of the longest text of which all is read at once: a file that people write. Of a longer one most guards ask nothing, and each
/// question is a reading of its own.
pub const AT_ONCE: u64 = 256 << 10;

/// Everything that an answer depends on, beside the component.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextSubject {
    pub claimed: ClaimedFile,
    pub wanted: TextQuestions,
    /// Of the text.
    pub blob: Oid,
    /// It is run as tests.
    pub is_test: bool,
}

/// The answers to what was wanted; none of what was not.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextAnswers {
    pub problems: Option<Result<Vec<Problem>, NoFacts>>,
    pub outline: Option<Result<Outline, NoFacts>>,
    pub surface: Option<Result<Surface, NoFacts>>,
    pub signatures: Option<Result<Signatures, NoFacts>>,
    pub names: Option<Result<Names, NoFacts>>,
}

/// Why a text says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NoFacts {
    /// As the component says.
    Unread(Unread),
    /// The component failed on it.
    Failed(String),
    NotText(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TextReading {
    pub answers: TextAnswers,
    /// What the reading took: the same for everyone who asks, whether the answer was kept or not.
    pub fuel: u64,
    /// Bytes of the answers, about.
    #[serde(skip)]
    pub size: u64,
}

/// All components that read texts.
pub struct TextReaders {
    embedded: &'static [EmbeddedReader],
    components: Vec<(ReaderComponent, KeptReadings)>,
    memory: ReadingMemory,
}

impl TextReaders {
    /// Nothing is loaded yet. `folder` holds answers between runs; None keeps none.
    pub fn new(embedded: &'static [EmbeddedReader], folder: Option<PathBuf>) -> Self {
        let component = |reader: &'static EmbeddedReader| {
            (ReaderComponent::new(reader), KeptReadings::new(folder.clone(), reader.digest))
        };
        TextReaders { embedded, components: embedded.iter().map(component).collect(), memory: ReadingMemory::default() }
    }

    /// Of several threads that ask for the same at once, one reads. `text` is only called when the answer is not known.
    ///
    /// # Errors
    /// The text or the component could not be had, or the work was stopped; nothing is kept of that.
    pub fn read(
        &self,
        subject: &TextSubject,
        stop: &StopToken,
        text: impl FnOnce() -> Result<Result<Arc<str>, String>, GuardStop>,
    ) -> Result<Arc<TextReading>, GuardStop> {
        self.memory.get(subject, || {
            let (component, kept) = &self.components[subject.claimed.component];
            if let Some(known) = kept.get(subject) {
                return Ok(known);
            }
            let (answers, fuel) = match text()? {
                Ok(text) => component.read(subject, &text, stop)?,
                Err(why) => (TextAnswers::of_none(subject.wanted, &NoFacts::NotText(why)), 0),
            };
            Ok(kept.put(subject, TextReading { answers, fuel, size: 0 }))
        })
    }
}

impl TextAnswers {
    /// The same reason for all that is wanted.
    pub fn of_none(wanted: TextQuestions, why: &NoFacts) -> Self {
        TextAnswers {
            problems: wanted.problems.then(|| Err(why.clone())),
            outline: wanted.outline.then(|| Err(why.clone())),
            surface: wanted.surface.then(|| Err(why.clone())),
            signatures: wanted.signatures.then(|| Err(why.clone())),
            names: wanted.names.then(|| Err(why.clone())),
        }
    }

    /// With those of another reading where these have none.
    fn or(self, other: TextAnswers) -> Self {
        TextAnswers {
            problems: self.problems.or(other.problems),
            outline: self.outline.or(other.outline),
            surface: self.surface.or(other.surface),
            signatures: self.signatures.or(other.signatures),
            names: self.names.or(other.names),
        }
    }
}

/// In words.
impl fmt::Display for NoFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFacts::Failed(why) | NoFacts::NotText(why) | NoFacts::Unread(Unread::Other(why)) => f.write_str(why),
            NoFacts::Unread(Unread::Unsupported) => f.write_str("its language has no answer to this question"),
            NoFacts::Unread(Unread::Broken) => f.write_str("it does not parse"),
            NoFacts::Unread(Unread::TooDeep) => f.write_str("it nests too deep"),
            NoFacts::Unread(Unread::Foreign(language)) => write!(f, "it is in {language}"),
        }
    }
}
