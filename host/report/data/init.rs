//! `host init`: what was found in the repository, what the guards say of its past, and what was written.

use guardhost_core::change::{Finding, Oid};

use super::InstalledFile;

#[derive(Debug, Clone, Default)]
pub struct InitReport {
    pub dry_run: bool,
    /// The text of guards.toml.
    pub rules: String,
    /// Files that were written; empty for a dry run.
    pub written: Vec<String>,
    /// Languages and the number of their files, the most frequent first.
    pub languages: Vec<(String, usize)>,
    /// Paths of manifests, sorted.
    pub manifests: Vec<String>,
    /// How many past commits were judged.
    pub commits: usize,
    /// In the order of guards.toml.
    pub guards: Vec<PastOfGuard>,
    pub notices: Vec<String>,
    /// Files of hooks and workflows: what happened to them, or, in a dry run, what would.
    pub installed: Vec<InstalledFile>,
    /// Git made a commit of the rules, and of a workflow.
    pub committed: bool,
    /// Commands that come next, one a line.
    pub next: Vec<String>,
}

/// What one guard says of the past commits.
#[derive(Debug, Clone, Default)]
pub struct PastOfGuard {
    pub id: String,
    pub mark: String,
    pub passed: usize,
    pub rejected: usize,
    pub failed: usize,
    pub not_applicable: usize,
    /// The first findings of commits that it rejects, one a commit.
    pub examples: Vec<PastFinding>,
}

#[derive(Debug, Clone)]
pub struct PastFinding {
    pub commit: Oid,
    /// The first line of the commit's message.
    pub subject: String,
    pub finding: Finding,
}
