//! Which commits are old: judged when they came, made by others, or there before the hooks were.

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_git::Repo;

use super::ledger::{Ledger, LetIn};

/// What a repository knows.
pub struct KnownCommits {
    /// What the fetch of a configured remote wrote, by full name: others made it.
    fetched: Vec<(String, Oid)>,
    entries: Vec<(LetIn, Oid)>,
}

impl KnownCommits {
    /// # Errors
    /// The refs cannot be read.
    pub fn read(repo: &Repo, ledger: &Ledger) -> Result<Self> {
        Ok(KnownCommits { fetched: repo.fetched_refs()?, entries: ledger.entries() })
    }

    /// For a branch that stands at `old`: what others made, and what was there before the hooks.
    pub fn beside(&self, old: Oid) -> Vec<Oid> {
        let installed = self.entries.iter().filter(|(how, _)| *how == LetIn::Installed).map(|(_, oid)| *oid);
        self.fetched.iter().map(|(_, oid)| *oid).chain(installed).chain([old]).collect()
    }

    /// For a new branch: the same, and what other branches have.
    ///
    /// # Errors
    /// The refs cannot be read.
    pub fn all(&self, repo: &Repo) -> Result<Vec<Oid>> {
        let branches = repo.refs("refs/heads/")?.into_iter().map(|(_, oid)| oid);
        Ok(self.let_in().into_iter().chain(branches).collect())
    }

    /// What others made, what was there before the hooks, and what the gate let in.
    pub fn let_in(&self) -> Vec<Oid> {
        let entries = self.entries.iter().map(|(_, oid)| *oid);
        self.fetched.iter().map(|(_, oid)| *oid).chain(entries).collect()
    }

    /// Tips whose rules a branch may take over: what its upstream, the branch of the same name at a remote, or the default branch of a remote
    /// has.
    pub fn upstreams(&self, branch: &str, upstream: Option<&str>) -> Vec<Oid> {
        let name = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        let is_upstream = |fetched: &str| {
            let remote = fetched.strip_prefix("refs/remotes/").and_then(|rest| rest.split_once('/'));
            upstream == Some(fetched) || remote.is_some_and(|(_, theirs)| theirs == name || theirs == "HEAD")
        };
        self.fetched.iter().filter(|(fetched, _)| is_upstream(fetched)).map(|(_, oid)| *oid).collect()
    }

    /// Commits that changed the rules with permission.
    pub fn with_allowed_rules(&self) -> impl Iterator<Item = Oid> {
        self.entries.iter().filter(|(how, _)| *how == LetIn::RulesAllowed).map(|(_, oid)| *oid)
    }
}
