//! `host init`: what was found in the repository, what the guards say of its past, and what was written.

use guardhost_core::change::{Finding, Oid};
use guardhost_core::written::Hex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{InstalledFile, OutcomeCounts};

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "init")]
pub struct InitReport {
    pub dry_run: bool,
    /// The text of `guards.toml`.
    pub rules: String,
    pub written: Vec<String>,
    /// Of HEAD, the most frequent first.
    pub languages: Vec<FilesOfLanguage>,
    /// Paths.
    pub manifests: Vec<String>,
    /// Past ones that were judged.
    pub commits: usize,
    pub guards: Vec<PastOfGuard>,
    pub rejected: OutcomeCounts,
    /// Whether changes can be run here.
    pub evidence: InitEvidence,
    /// Hooks and workflows.
    pub installed: Vec<InstalledFile>,
    pub committed: bool,
    pub notices: Vec<String>,
    /// Lines for AGENTS.md; empty where it has them.
    pub for_agents: Vec<String>,
    /// Commands that come next.
    pub next: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "initEvidence")]
pub struct InitEvidence {
    /// `null` without one.
    pub sandbox: Option<String>,
    /// One for each runner.
    pub tests: Vec<InitTests>,
    /// Builds included.
    pub seconds: u64,
    /// `guards.toml` has guards that run tests.
    pub is_on: bool,
    /// Why not, and what would change that.
    pub reason: Option<String>,
    /// Those that HEAD configures.
    pub linters: Vec<InitLinter>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "initLinter")]
pub struct InitLinter {
    pub linter: String,
    /// Its folder; empty for the root.
    pub project: String,
    /// What it objects to already.
    pub objections: usize,
    /// Why it was not run.
    pub not_run: Option<String>,
}

impl InitEvidence {
    /// Whether there are linters, and all of them could be run.
    pub fn lints(&self) -> bool {
        !self.linters.is_empty() && self.linters.iter().all(|linter| linter.not_run.is_none())
    }
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "initTests")]
pub struct InitTests {
    pub runner: String,
    /// Its folder; empty for the root.
    pub project: String,
    pub passed: usize,
    pub failed: usize,
    /// Why not.
    pub not_run: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "filesOfLanguage")]
pub struct FilesOfLanguage {
    pub name: String,
    pub files: usize,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "pastOfGuard")]
pub struct PastOfGuard {
    pub id: String,
    /// Its mark, such as `G13`, or empty.
    #[serde(rename = "g")]
    pub mark: String,
    pub passed: usize,
    pub rejected: usize,
    pub failed: usize,
    pub not_applicable: usize,
    /// Of up to three rejected commits.
    pub examples: Vec<PastFinding>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pastFinding")]
pub struct PastFinding {
    #[serde(with = "Hex")]
    pub commit: Oid,
    /// The message's first line.
    pub subject: String,
    #[serde(flatten, with = "PlaceOfFinding")]
    pub finding: Finding,
}

/// Where a finding is and what it says, for lists of many.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "Finding")]
#[schemars(rename = "placeOfFinding")]
pub(super) struct PlaceOfFinding {
    rule: String,
    path: Option<String>,
    line: Option<u32>,
    message: String,
}
