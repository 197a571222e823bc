//! What texts say, for `guardhost:language` and `guardhost:modules`. Components, one for each family of languages, read each text in a
//! sandbox and once: the answers are kept by the blob's object id, for the set in memory and for the user on disk.

pub mod bindings;
mod cached;
mod claims;
mod component;
mod contract;
mod memory;
mod pinned;
mod single;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embedded::{EmbeddedReader, LanguageClaim};
use crate::failure::GuardFailure;
use crate::limits::GuardStop;
use bindings::exports::guardhost::language::reader::{Signatures, Surface};
pub use bindings::guardhost::language::text_facts::Unread;
use bindings::guardhost::language::text_facts::{Names, Outline, Problem};
use cached::CachedReadings;
use component::ReaderComponent;
use guardhost_core::change::{Failed, Oid};
use guardhost_core::stop::StopToken;
use memory::ReadingMemory;

pub use claims::{ClaimedFile, TextQuestions};
pub use contract::most_lines;
pub use pinned::{LanguageSource, LanguageSpec, Languages};
pub use single::{LanguageOutput, SingleLanguage, TextOutcome};

/// Bytes of the longest text of which more is read than its problems. A longer one was written by a program.
pub const LONGEST: u64 = 4 << 20;

/// Bytes of the longest text of which all is read at once: a file that people write. Of a longer one most guards ask nothing, and each
/// question is a reading of its own.
const AT_ONCE: u64 = 256 << 10;

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

/// All components that read texts. Of two that claim a file, the first answers.
pub struct TextReaders {
    components: Vec<TextReader>,
    memory: ReadingMemory,
}

/// A component that reads texts.
struct TextReader {
    name: String,
    digest: String,
    claims: ReaderClaims,
    component: ReaderComponent,
    kept: CachedReadings,
}

enum ReaderClaims {
    Static(&'static [LanguageClaim]),
    Owned(Vec<LanguageClaim>),
}

impl TextReader {
    /// Nothing is loaded yet.
    fn embedded(reader: &'static EmbeddedReader, folder: Option<PathBuf>) -> Self {
        TextReader {
            name: reader.name.to_owned(),
            digest: reader.digest.to_owned(),
            claims: ReaderClaims::Static(reader.claims),
            component: ReaderComponent::embedded(reader),
            kept: CachedReadings::new(folder, reader.digest),
        }
    }

    fn claims(&self) -> &[LanguageClaim] {
        match &self.claims {
            ReaderClaims::Static(claims) => claims,
            ReaderClaims::Owned(claims) => claims,
        }
    }
}

impl TextReaders {
    /// Those of a build. Nothing is loaded yet. `folder` holds answers between runs; None keeps none.
    pub fn new(embedded: &'static [EmbeddedReader], folder: Option<PathBuf>) -> Self {
        TextReaders::from_components(
            embedded.iter().map(|reader| TextReader::embedded(reader, folder.clone())).collect(),
        )
    }

    fn from_components(components: Vec<TextReader>) -> Self {
        TextReaders { components, memory: ReadingMemory::default() }
    }

    /// The name and the digest of the component that reads a file.
    pub fn identity(&self, claimed: &ClaimedFile) -> (&str, &str) {
        let reader = &self.components[claimed.component];
        (&reader.name, &reader.digest)
    }

    /// What a component claims; None when it is not among these.
    pub fn claims_of(&self, name: &str) -> Option<&[LanguageClaim]> {
        Some(self.components.iter().find(|reader| reader.name == name)?.claims())
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
            let TextReader { component, kept, .. } = &self.components[subject.claimed.component];
            if let Some(known) = kept.get(subject) {
                return Ok(known);
            }
            let (answers, fuel) = match text()? {
                Ok(text) => {
                    let (answers, used) = component.read(subject, &text, stop)?;
                    (answers, used.fuel)
                }
                Err(why) => (TextAnswers::unanswered(subject.wanted, &NoFacts::NotText(why)), 0),
            };
            Ok(kept.put(subject, TextReading { answers, fuel, size: 0 }))
        })
    }
}

/// A pinned language that cannot be loaded: whoever asks for what texts say has no answer, which is not none.
pub fn not_loaded(failure: &GuardFailure) -> GuardStop {
    match failure.failed {
        Failed::Machine | Failed::PartialClone => GuardStop::Machine(failure.message.clone()),
        Failed::Load | Failed::Run => GuardStop::Export(failure.message.clone()),
    }
}

impl TextAnswers {
    /// The same reason for all that is wanted.
    pub fn unanswered(wanted: TextQuestions, why: &NoFacts) -> Self {
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
