//! What kind of change it is, by proof, and what of it a person must look at.

use guardhost_core::change::RepoPath;
use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is [proved](triage.md) of a change.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "triage")]
pub struct TriageReport {
    /// Every file has a proof.
    pub proved: bool,
    /// Of the proofs, each once.
    pub classes: Vec<TriageClass>,
    /// Of `--triage=CLASS,…`; with `rules` among them, also those of `allowed`.
    pub wanted: Vec<TriageClass>,
    /// By `[triage]` of the rules that judge the change.
    pub allowed: Vec<TriageClass>,
    /// `--triage=rules`.
    pub by_rules: bool,
    /// Not all is proved to be of `allowed`, or the guards do not accept it.
    pub needs_person: bool,
    /// The riskiest first, those with a proof last.
    pub files: Vec<TriagedFile>,
}

/// One file of the change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "triagedFile")]
pub struct TriagedFile {
    pub path: RepoPath,
    /// `null`: nothing is proved of it.
    pub class: Option<TriageClass>,
    /// Of the proof, or why there is none.
    pub why: String,
    /// The gravest first; empty with a proof.
    pub reasons: Vec<LookReason>,
}

/// A harmless kind of change ([proofs](triage.md#classes)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "triageClass")]
pub enum TriageClass {
    /// White space between tokens alone.
    Formatting,
    /// Words in comments that no tool reads, and white space.
    Comments,
    /// Sentences of documents, without links, code and headings.
    Documents,
    /// New tests that check something; no old line is gone. That they pass is not proved.
    TestsAdded,
    /// Private functions of Go, JavaScript, Rust, Swift or TypeScript are gone, with every mention.
    Unreferenced,
    /// A private function of Go or Rust has another name.
    Renamed,
}

/// Why a person must look at a file, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "lookReason")]
pub enum LookReason {
    /// A guard rejects it.
    Rejected,
    /// A path that patches may not touch by default.
    Rights,
    /// Executable, link or submodule, now or before.
    Mode,
    /// It asks for a new dependency.
    NewDependency,
    /// A test of it is gone.
    TestRemoved,
    /// A test is skipped, or checks less.
    TestWeakened,
    /// It configures dependencies or tools.
    Configuration,
    /// The exact versions of dependencies.
    Lock,
    /// No test names what it defines.
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
