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
    pub classes: Vec<TriageClass>,
    /// Of `--triage=CLASS,…`; with `rules` among them, also those of `allowed`.
    pub wanted: Vec<TriageClass>,
    /// By `[triage]` of the rules.
    pub allowed: Vec<TriageClass>,
    /// `--triage=rules`.
    pub by_rules: bool,
    /// Not all is of `allowed`, or the guards reject.
    pub needs_person: bool,
    /// The riskiest first.
    pub files: Vec<TriagedFile>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "triagedFile")]
pub struct TriagedFile {
    pub path: RepoPath,
    /// `null`: nothing is proved.
    pub class: Option<TriageClass>,
    /// Of the proof, or why there is none.
    pub why: String,
    /// The gravest first.
    pub reasons: Vec<LookReason>,
}

/// A harmless kind of change ([proofs](triage.md#classes)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "triageClass")]
pub enum TriageClass {
    Formatting,
    Comments,
    Documents,
    TestsAdded,
    Unreferenced,
    Renamed,
}

/// Why a person must look at a file, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "lookReason")]
pub enum LookReason {
    Rejected,
    /// Patches may not touch it by default.
    Rights,
    /// Executable, link or submodule, now or before.
    Mode,
    NewDependency,
    TestRemoved,
    /// A test is skipped, or checks less.
    TestWeakened,
    /// Of dependencies or tools.
    Configuration,
    /// The exact versions of dependencies.
    Lock,
    /// No test names what it defines.
    NotTested,
    /// Code that a test names.
    Code,
    TestChanged,
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
