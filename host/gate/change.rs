//! What a change is, and from which commit its rules are read.

use std::path::Path;

use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;
use guardhost_git::{Repo, range, rules_commit, staged_in, worktree};

/// Where rules are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesAt {
    /// The base commit, for messages; None in a repository without commits.
    pub commit: Option<Oid>,
    pub tree: Oid,
}

impl RulesAt {
    /// The rules of the commit that the change is made on.
    pub fn base_of(candidate: &Candidate) -> Self {
        RulesAt { commit: candidate.base, tree: candidate.base_tree }
    }

    /// # Errors
    /// The repository has no such commit.
    pub fn commit(repo: &Repo, commit: Oid) -> Result<Self> {
        Ok(RulesAt { commit: Some(commit), tree: repo.tree_of(commit)? })
    }
}

/// A change that a repository holds already.
pub enum ExistingChange<'a> {
    /// What this index file holds, against HEAD.
    Staged { index: &'a Path },
    /// The work tree against HEAD, untracked files included, ignored ones not.
    WorkTree,
    /// As `host check --range` reads it. The rules are those of the commit into which it is to come.
    Range(&'a str),
}

/// A change with the commit whose rules judge it.
pub struct Proposal {
    pub candidate: Candidate,
    pub rules: RulesAt,
}

impl ExistingChange<'_> {
    /// # Errors
    /// The index, the work tree or the commits cannot be read, or a revision does not exist.
    pub fn propose(&self, repo: &Repo) -> Result<Proposal> {
        let candidate = match self {
            ExistingChange::Staged { index } => staged_in(repo, index)?,
            ExistingChange::WorkTree => worktree(repo)?,
            ExistingChange::Range(spec) => {
                let candidate = range(repo, spec)?;
                let (commit, tree) = rules_commit(repo, spec, &candidate)?;
                return Ok(Proposal { candidate, rules: RulesAt { commit, tree } });
            }
        };
        Ok(Proposal::on_base(candidate))
    }
}

impl Proposal {
    /// A change that is judged by the rules of the commit that it is made on.
    pub fn on_base(candidate: Candidate) -> Self {
        Proposal { rules: RulesAt::base_of(&candidate), candidate }
    }
}
