//! `host init`: what was found in the repository, what the guards say of its past, and what was written.

use guardhost_core::change::{Finding, Oid};
use guardhost_core::written::Hex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{InstalledFile, OutcomeCounts};

/// What `host init` found and wrote.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "init")]
pub struct InitReport {
    /// Nothing was written.
    pub dry_run: bool,
    /// The text of `guards.toml`.
    pub rules: String,
    /// The files that were written.
    pub written: Vec<String>,
    /// Of HEAD, the most frequent first.
    pub languages: Vec<FilesOfLanguage>,
    /// Paths of manifests, sorted.
    pub manifests: Vec<String>,
    /// How many past commits were judged.
    pub commits: usize,
    /// In the order of `guards.toml`.
    pub guards: Vec<PastOfGuard>,
    /// Of commits that would have been rejected.
    pub rejected: OutcomeCounts,
    /// Whether changes can be run here.
    pub evidence: InitEvidence,
    /// Hooks and workflows: what happened to them, or would in a dry run.
    pub installed: Vec<InstalledFile>,
    /// The rules, and a workflow.
    pub committed: bool,
    pub notices: Vec<String>,
    /// Lines for AGENTS.md or another file that agents read. Empty where one speaks of the host.
    pub for_agents: Vec<String>,
    /// Commands that come next.
    pub next: Vec<String>,
}

/// Whether the tests of HEAD pass in time in a sandbox; then `guards.toml` has guards that run them.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "initEvidence")]
pub struct InitEvidence {
    /// `null` without one.
    pub sandbox: Option<String>,
    /// What each runner said.
    pub tests: Vec<InitTests>,
    /// How long they took, builds included.
    pub seconds: u64,
    /// `guards.toml` has such guards.
    pub is_on: bool,
    /// Why not, and what would change that.
    pub reason: Option<String>,
    /// Those that HEAD configures. If all could be run, `guards.toml` has the guard for them.
    pub linters: Vec<InitLinter>,
}

/// What one linter says of HEAD.
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

/// The tests of one project, run by one runner.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "initTests")]
pub struct InitTests {
    pub runner: String,
    /// Its folder; empty for the root.
    pub project: String,
    pub passed: usize,
    pub failed: usize,
    /// Why nothing was run.
    pub not_run: Option<String>,
}

/// A language of the repository.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "filesOfLanguage")]
pub struct FilesOfLanguage {
    pub name: String,
    /// Number of its files.
    pub files: usize,
}

/// What one guard says of the past commits.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "pastOfGuard")]
pub struct PastOfGuard {
    pub id: String,
    /// Its mark, such as `G13`, or empty.
    #[serde(rename = "g")]
    pub mark: String,
    /// Number of commits with this verdict.
    pub passed: usize,
    pub rejected: usize,
    pub failed: usize,
    pub not_applicable: usize,
    /// Of up to three commits that it rejects.
    pub examples: Vec<PastFinding>,
}

/// The first finding of a past commit.
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
