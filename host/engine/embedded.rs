//! Guards that are part of the binary. The crate `guards` makes them and `main` hands them in, so that this crate need not be compiled
//! again when a guard changes.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use guard_files::Language;
pub use guard_files::syntax::{Literal, LiteralForm, Syntax};
use guardhost_core::syntax::SyntaxByPath;

use crate::failure::GuardFailure;
use wasmtime::component::Component;

use crate::describe::Description;
use crate::describe::outline::DescribedOutline;
pub use crate::readers::TextQuestions;

/// All embedded guards, and how their code was compiled.
#[derive(Debug)]
pub struct EmbeddedGuards {
    /// Sorted by id.
    pub guards: &'static [Builtin],
    /// What measures trees, sorted by id.
    pub analyzers: &'static [Builtin],
    /// What reads texts; of two that claim a file, the first answers.
    pub readers: &'static [EmbeddedReader],
    /// What would, had it been built.
    pub missing_readers: &'static [MissingReader],
    /// The triple that code is compiled for.
    pub target: &'static str,
    /// Changes with everything that decides what the compiler makes of a component.
    pub fingerprint: &'static str,
}

/// An embedded guard.
#[derive(Debug)]
pub struct Builtin {
    pub id: &'static str,
    pub version: &'static str,
    /// The component without its code: what it imports and exports, and which tools made it.
    pub skeleton: &'static [u8],
    /// Bytes of the component.
    pub size: usize,
    pub compiled: Compiled,
    /// `sha256:…` of the component.
    pub digest: &'static str,
    pub description: Described,
    /// What `description` says of these.
    pub outline: DescribedOutline,
    /// The smallest grants that suffice, as a pin writes them.
    pub grants: &'static [&'static str],
    /// One that it rejects, one that it accepts; none of an analyzer.
    pub examples: &'static [EmbeddedExample],
    /// For rules that the first of them does not show, a case of each.
    pub of_rules: &'static [EmbeddedExample],
}

/// A component of the world `language`.
#[derive(Debug)]
pub struct EmbeddedReader {
    /// Of its package: by this id `[[language]]` replaces it.
    pub name: &'static str,
    /// The component without its code: what it imports and exports, its version, and which tools made it.
    pub skeleton: &'static [u8],
    /// Bytes of the component.
    pub size: usize,
    pub compiled: Compiled,
    /// `sha256:…` of the component.
    pub digest: &'static str,
    /// What its `claims` answered at build time.
    pub claims: &'static [LanguageClaim],
}

/// Static for what is embedded, and owned for what is pinned.
pub type ClaimText = Cow<'static, str>;

/// The files of one language, and what is answered of them; the fields are those of the contract's `claim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageClaim {
    pub language: ClaimText,
    pub endings: Cow<'static, [ClaimText]>,
    pub names: Cow<'static, [ClaimText]>,
    pub interpreters: Cow<'static, [ClaimText]>,
    pub syntax: Syntax,
    pub sleep_marks: Cow<'static, [ClaimText]>,
    pub error_marks: Cow<'static, [ClaimText]>,
    pub answers: TextQuestions,
}

/// A component that this build has not.
#[derive(Debug)]
pub struct MissingReader {
    pub name: &'static str,
    /// What it would read, in words.
    pub languages: &'static str,
    /// What the build lacked.
    pub why: &'static str,
}

/// What a guard's `describe` answered at build time, as JSON with the contract's field names in snake_case; read once a process.
pub struct Described {
    json: &'static str,
    read: OnceLock<Description>,
}

/// Native code, and the component that was loaded from it, once a process.
pub struct Compiled {
    /// What `wasmtime` made of the component; starts at a page boundary, so that it can run where it lies.
    pub(crate) code: &'static [u8],
    pub(crate) loaded: OnceLock<Result<Component, GuardFailure>>,
}

/// A change out of a guard's own cases, and the guard's answer.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedExample {
    /// `reject` or `pass`.
    pub verdict: &'static str,
    /// The guard's other inputs, name and JSON: `task`, `settings`, `plan`, `past`, `tools`, `web`.
    pub given: &'static [(&'static str, &'static str)],
    /// Files that stay as they are.
    pub beside: &'static [&'static str],
    /// Unified; empty for a guard of plans.
    pub diff: &'static str,
    /// JSON, as in the case's `expect.json`.
    pub findings: &'static str,
}

impl EmbeddedGuards {
    /// A guard or an analyzer.
    pub fn get(&self, id: &str) -> Option<&'static Builtin> {
        self.guards.iter().chain(self.analyzers).find(|guard| guard.id == id)
    }

    /// The guard or analyzer whose component has this digest, `sha256:…`.
    pub fn with_digest(&self, digest: &str) -> Option<&'static Builtin> {
        self.guards.iter().chain(self.analyzers).find(|guard| guard.digest == digest)
    }

    /// Of the guards.
    pub fn ids(&self) -> Vec<&'static str> {
        self.guards.iter().map(|guard| guard.id).collect()
    }
}

impl EmbeddedGuards {
    /// Names of the languages of whose texts more is read than what they import, sorted.
    pub fn languages(&self) -> Vec<&'static str> {
        let claims = self.readers.iter().flat_map(|reader| reader.claims);
        let mut names: Vec<&str> = claims.filter(|claim| claim.answers.outline).map(|claim| &*claim.language).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl SyntaxByPath for EmbeddedGuards {
    fn syntax(&self, path: &str) -> Option<Syntax> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let claims = self.readers.iter().flat_map(|reader| reader.claims);
        let claim = claims.filter_map(|claim| Some((claim.rank(&name)?, claim))).max_by_key(|(rank, _)| *rank);
        claim.map(|(_, claim)| &claim.syntax).or_else(|| Syntax::of(Language::from_path(path)?)).cloned()
    }
}

/// In words.
impl fmt::Display for MissingReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not in this build: {} ({})", self.languages, self.why)
    }
}

impl Described {
    pub const fn new(json: &'static str) -> Self {
        Described { json, read: OnceLock::new() }
    }

    pub fn get(&self) -> &Description {
        self.read.get_or_init(|| serde_json::from_str(self.json).expect("the build wrote it, and the tests read each"))
    }
}

impl std::fmt::Debug for Described {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.json)
    }
}

impl Compiled {
    pub const fn new(code: &'static [u8]) -> Self {
        Compiled { code, loaded: OnceLock::new() }
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Compiled({} bytes)", self.code.len())
    }
}
