//! What kind of change it is, by proof, and what of it a person must look at.

use guardhost_core::change::RepoPath;
use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is proved of a change, file by file, and in which order a person reads the rest. It approves nothing.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "triage")]
pub struct TriageReport {
    /// Every file has a proof.
    pub proved: bool,
    /// The classes of the proofs, each once.
    pub classes: Vec<TriageClass>,
    /// The classes of `--triage=CLASS,…`; empty where none was asked for. With `rules` among them, also those of `allowed`.
    pub wanted: Vec<TriageClass>,
    /// The classes that may be merged without a person, by `[triage]` of the rules that judge the change.
    pub allowed: Vec<TriageClass>,
    /// `--triage=rules`: the exit code is to say whether a person must look.
    pub by_rules: bool,
    /// Not all of it is proved to be of the classes of `allowed`, or the guards do not accept it.
    pub needs_person: bool,
    /// In the order of reading: the riskiest first, those with a proof last.
    pub files: Vec<TriagedFile>,
}

/// One file of the change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "triagedFile")]
pub struct TriagedFile {
    pub path: RepoPath,
    /// `null`: nothing is proved of it.
    pub class: Option<TriageClass>,
    /// What the proof rests on, or why there is none.
    pub why: String,
    /// Why a person must look, the gravest first; empty with a proof.
    pub reasons: Vec<LookReason>,
}

/// A kind of change that is harmless, and by what that is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "triageClass")]
pub enum TriageClass {
    /// White space between tokens alone: the parser finds the same program.
    Formatting,
    /// Words in comments that no tool reads; white space may differ too.
    Comments,
    /// Sentences of documents; every link, piece of code and heading is kept.
    Documents,
    /// New tests, each with something that it checks; no line of an old one is gone. That they pass is not proved by this.
    TestsAdded,
    /// Private functions of Go, JavaScript, Rust, Swift or TypeScript are gone, and the tree has no word of their names.
    Unreferenced,
    /// A private function of Go or Rust has another name wherever it stood, and no other file has one of the two names.
    Renamed,
}

/// Why a person must look at a file, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "lookReason")]
pub enum LookReason {
    /// A guard rejects it.
    Rejected,
    /// It runs in builds or hooks with rights of their own, or holds the rules: a path that patches may not touch by default.
    Rights,
    /// It may be executed, is a link or another repository now, or no longer.
    Mode,
    /// It asks for a dependency that it did not ask for.
    NewDependency,
    /// A test of it is gone.
    TestRemoved,
    /// A test of it is skipped, or checks less.
    TestWeakened,
    /// It says which dependencies and tools are used, and how.
    Configuration,
    /// The exact versions of dependencies.
    Lock,
    /// Code, and no test of the change, or of the repository, names what it defines.
    NotTested,
    /// Code that a test names.
    Code,
    /// A test that changed.
    TestChanged,
    /// Whatever else is not proved.
    Other,
}

serialized_names!(TriageClass, LookReason);

impl TriageReport {
    /// None where no class was asked for: whether the change is of these alone.
    pub fn is_as_wanted(&self) -> Option<bool> {
        (self.by_rules || !self.wanted.is_empty()).then(|| self.is_all_of(&self.wanted))
    }

    /// Whether every file is proved to be of one of these classes.
    pub fn is_all_of(&self, classes: &[TriageClass]) -> bool {
        self.proved && self.classes.iter().all(|class| classes.contains(class))
    }
}
